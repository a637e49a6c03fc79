import BackgroundTasks
import UIKit

/// The client files that say that they run in it, in one application. Its task uses what each of them has, and prints a line
/// for each; what a file expects and does not find ends the process.
@main
final class AppDelegate: StoryboardDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: .main) { task in
            Task { @MainActor in
                do {
                    try await self.tryAll()
                    task.setTaskCompleted(success: true)
                } catch {
                    print("failed:", error)
                    task.setTaskCompleted(success: false)
                }
            }
        }
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }

    private func tryAll() async throws {
        await tryReminderCenter()
        print("59-ReminderCenter works")
        try tryKeychain()
        print("60-Keychain works")
        tryProfileScreen()
        print("61-ProfileScreen works")
        tryArticleTable()
        print("62-ArticleTable works")
        tryPhotoGrid()
        print("63-PhotoGrid works")
        tryStoryboardDelegate(self)
        print("64-StoryboardDelegate works")
        try await trySessionStore()
        print("65-SessionStore works")
        await trySystemMonitor()
        print("66-SystemMonitor works")
        try await tryTripRecorder()
        print("67-TripRecorder works")
        try tryDeviceIdentity()
        print("68-DeviceIdentity works")
        tryRichPush()
        print("69-RichPush works")
        tryHabitViews()
        print("70-HabitViews works")
        await tryProgressObservation()
        print("72-ProgressObservation works")
    }
}
