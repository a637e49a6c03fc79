import BackgroundTasks
import Synchronization
import TaskHostNetwork
import TaskHostTesting
import Testing
import UIKit

/// Writes down what it is called for.
final class ListeningDelegate: UIResponder, UIApplicationDelegate {
    nonisolated static let calls = Mutex<[String]>([])

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Self.calls.withLock { $0.append("launch") }
        TestApplication.register(TestApplication.refresh) { $0.setTaskCompleted(success: true) }
        return true
    }
    func applicationDidBecomeActive(_ application: UIApplication) { Self.calls.withLock { $0.append("active") } }
    func applicationDidEnterBackground(_ application: UIApplication) {
        Self.calls.withLock { $0.append("background") }
        let request = BGAppRefreshTaskRequest(identifier: TestApplication.refresh)
        try? BGTaskScheduler.shared.submit(request)
    }
    func applicationWillTerminate(_ application: UIApplication) { Self.calls.withLock { $0.append("terminate") } }
}

@Suite("The testing kit plays the application's life", .serialized)
struct LifecycleTests {
    typealias App = TestApplication

    @Test("a delegate is launched, opened, sent to the background and quit")
    func delegate() async throws {
        ListeningDelegate.calls.withLock { $0.removeAll() }
        try await withHost([App.refresh: .appRefresh]) {
            ListeningDelegate.main()
        } _: { host in
            #expect(host.applicationState == .background)
            await host.enterForeground()
            #expect(host.applicationState == .active && UIApplication.shared.applicationState == .active)
            #expect(UIApplication.shared.backgroundTimeRemaining == .greatestFiniteMagnitude)
            await host.enterBackground()
            #expect(host.submitted.map(\.identifier) == [App.refresh])
            let result = try await host.launch(App.refresh)
            #expect(result.succeeded)
            let request = BGAppRefreshTaskRequest(identifier: App.refresh)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 60)
            try BGTaskScheduler.shared.submit(request)
            await host.quit()
            #expect(host.submitted.map(\.identifier) == [App.refresh])
            await host.advance(by: .seconds(3600))
            #expect(host.results.count == 1 && host.waiting(App.refresh) != nil)
            #expect(host.terminations == ["forceQuit"])
            #expect(
                ListeningDelegate.calls.withLock { $0 } == [
                    "launch", "background", "active", "background", "terminate",
                ])
        }
    }

    @Test(
        "background time ends: its handler is called in time, and who keeps it is terminated", arguments: [true, false])
    func backgroundTime(ends: Bool) async throws {
        let calls = Atomic(0)
        try await withHost([App.refresh: .appRefresh], patience: .milliseconds(50)) {
            _ = UIApplication.shared
        } _: { host in
            await host.enterForeground()
            let identifier = Mutex(UIBackgroundTaskIdentifier.invalid)
            let begun = UIApplication.shared.beginBackgroundTask(withName: "save") {
                calls.add(1, ordering: .relaxed)
                if ends { UIApplication.shared.endBackgroundTask(identifier.withLock { $0 }) }
            }
            identifier.withLock { $0 = begun }
            await host.enterBackground()
            await host.advance(by: .seconds(20))
            #expect(calls.load(ordering: .relaxed) == 0)
            #expect(UIApplication.shared.backgroundTimeRemaining == 10)
            await host.advance(by: .seconds(15))
            #expect(calls.load(ordering: .relaxed) == 1)
            #expect(host.terminations == (ends ? [] : ["backgroundTaskAssertionTimeout"]))
        }
    }

    @Test(
        "faults of the process",
        arguments: [
            (TestFault.crash, RunOutcome.crashed), (.kill, .crashed), (.diskFull, .exceededDisk),
            (.outOfMemory, .exceededMemory),
        ])
    func faults(_ fault: TestFault, _ outcome: RunOutcome) async throws {
        let application = App()
        let launches = Atomic(0)
        try await withHost {
            launches.add(1, ordering: .relaxed)
            App.register(App.index) { application.hold($0) }
        } _: { host in
            let run = try await host.start(App.index)
            await host.simulate(fault)
            let result = try await run.end()
            #expect(result.outcome == outcome)
            #expect(launches.load(ordering: .relaxed) == 1)
            _ = try await host.start(App.index)
            #expect(launches.load(ordering: .relaxed) == 2 && application.tasks.count == 2)
        }
    }

    @Test("a slow launch is refused, and memory pressure expires what minds it")
    func others() async throws {
        let application = App()
        try await withHost {
            App.register(App.index) { application.hold($0) }
        } _: { host in
            await host.simulate(.slowLaunch)
            let result = try await host.launch(App.index)
            #expect(result.outcome == .refused)
            let run = try await host.start(App.index)
            #expect(run.result == nil)
            application.tasks.last?.setTaskCompleted(success: true)
            try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: App.index))
            await host.advance(by: .seconds(0.1))
            #expect(host.running.count == 1)
            await host.simulate(.memoryPressure)
            await host.advance(by: .zero)
            #expect(host.results.last?.reason == .memoryPressure)
        }
    }

    @Test("a path monitor hears of the network that a test sets, and a later host's process of that host's")
    func network() async throws {
        for _ in 0..<2 {
            let paths = Mutex<[Bool]>([])
            let monitor = NWPathMonitor()
            let queue = DispatchQueue(label: "org.taskhost.tests.paths")
            monitor.pathUpdateHandler = { path in paths.withLock { $0.append(path.isExpensive) } }
            try await withHost {
                monitor.start(queue: queue)
            } _: { host in
                await host.enterForeground()
                for (network, isExpensive) in [
                    (DeviceCondition.Network.constrained, true), (.ok, false), (.none, false),
                ] {
                    await host.set(.network(network))
                    queue.sync {}
                    #expect(paths.withLock { $0.last } == isExpensive)
                }
                #expect(monitor.currentPath.status == .unsatisfied)
                monitor.cancel()
            }
        }
    }
}
