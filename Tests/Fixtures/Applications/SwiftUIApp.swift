import BackgroundTasks
import SwiftUI

/// An application of SwiftUI. Prints what it receives; the identifiers of its tasks say what they do.
@main
struct SwiftUIApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @Environment(\.scenePhase) private var scenePhase
    @StateObject private var model = Model()
    @State private var changes = 0
    @State private var store = Store()
    @AppStorage("visits") private var visits = 0

    nonisolated static func say(_ words: String) { print("heard", words, Thread.isMainThread) }

    /// Makes the harness print a line, for which its steps can wait.
    nonisolated static func tell(_ words: String) {
        let activity = ProcessInfo.processInfo.beginActivity(options: .background, reason: "told \(words)")
        ProcessInfo.processInfo.endActivity(activity)
    }

    init() { Self.say("App.init \(UIApplication.shared.delegate == nil)") }

    var body: some Scene {
        WindowGroup {
            ContentView(model: model)
        }
        .backgroundTask(.appRefresh("com.ex.app.r1")) {
            Self.say("refresh begins \(Task.isCancelled)")
            await model.refresh()
            Self.say("refresh ends")
        }
        .backgroundTask(.appRefresh("com.ex.app.p1")) {
            print("endless begins")
            Self.tell("endless")
            await withTaskCancellationHandler {
                while !Task.isCancelled { await Task.yield() }
            } onCancel: {
                print("endless is cancelled")
            }
            print("endless ends")
        }
        .backgroundTask(.urlSession("org.example.session")) { await finish("org.example.session") }
        .backgroundTask(.urlSession(matching: { $0.hasPrefix("org.example.any.") })) { identifier in
            await finish(identifier)
        }
        .onChange(of: scenePhase) { old, new in
            Self.say("phase \(old) \(new) in \(UIApplication.shared.applicationState)")
            if new == .background {
                visits += 1
                let request = BGAppRefreshTaskRequest(identifier: "com.ex.app.r1")
                do { try BGTaskScheduler.shared.submit(request) } catch { print("error", error) }
            }
        }
        .onChange(of: scenePhase) { Self.say("phase without values") }
        .onChange(of: model.items) { old, new in
            Self.say("items \(old.count) \(new.count)")
            changes += 1
        }
        .onChange(of: changes, initial: true) {
            Self.say("changes \(changes)")
            Self.tell("changes \(changes)")
        }
        .onChange(of: store.number) {
            Self.say("number \(store.number)")
            Self.tell("number \(store.number)")
        }
        .onChange(of: visits) {
            Self.say("visits \(visits) \(UserDefaults.standard.integer(forKey: "visits"))")
            Self.tell("visits \(visits)")
        }

        Other()
    }

    private func finish(_ identifier: String) async {
        Self.say("session \(identifier)")
        await Task.yield()
        store.number += 1
    }
}

/// A scene with a state of its own.
struct Other: Scene {
    @Environment(\.scenePhase) private var scenePhase
    @State private var count = 0

    var body: some Scene {
        Settings { Text("Settings") }
            .onChange(of: scenePhase == .active) { _, isActive in
                count += 1
                SwiftUIApp.say("other \(isActive) \(count)")
            }
    }
}

@MainActor final class Model: ObservableObject {
    @Published private(set) var items: [String] = []

    init() { SwiftUIApp.say("Model.init") }

    func refresh() async {
        await Task.yield()
        items.append("item")
    }
}

@Observable final class Store {
    var number = 0
}

struct ContentView: View {
    @ObservedObject var model: Model
    @State private var isShown = false

    init(model: Model) { self.model = model }

    var body: some View {
        let _ = print("the body is called")
        List(model.items, id: \.self) { Text($0) }
            .task { print("the task is called") }
    }
}

final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        SwiftUIApp.say("didFinishLaunching \(application.delegate === self) \(application.connectedScenes.count)")
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p2", using: .main) { task in
            task.setTaskCompleted(success: false)
        }
        return true
    }

    // Not called: the application has scenes.
    func applicationDidBecomeActive(_ application: UIApplication) { print("applicationDidBecomeActive") }

    func applicationWillTerminate(_ application: UIApplication) { SwiftUIApp.say("willTerminate") }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        SwiftUIApp.say("delegate session \(identifier)")
        completionHandler()
    }
}
