#if canImport(BackgroundTasks)
import BackgroundTasks
#endif
#if canImport(UIKit)
import UIKit
#endif

@available(iOSApplicationExtension, unavailable)
final class BackgroundManager: NSObject {
    @MainActor static let shared = BackgroundManager()
    static let identifiers = ["com.example.refresh", "com.example.process"]

    func setUp(queue: DispatchQueue = DispatchQueue(label: "background")) {
        #if targetEnvironment(simulator)
        print("no background tasks in the simulator")
        #else
        if #available(iOS 13.0, *) {
            Self.identifiers.forEach { identifier in
                let known = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: queue) { task in
                    DispatchQueue.global().async { task.setTaskCompleted(success: true) }
                }
                assert(known, "not permitted: \(identifier)")
            }
        } else {
            UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalNever)
        }
        #endif
    }

    var device: String { "\(UIDevice.current.systemName) \(UIDevice.current.systemVersion)" }
}
