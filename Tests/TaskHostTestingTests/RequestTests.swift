import BackgroundTasks
import TaskHostExtensions
import TaskHostTesting
import Testing

@Suite("The testing kit keeps requests")
struct RequestTests {
    typealias App = TestApplication

    @Test("what was submitted is pending, with its terms, and starts when it is due")
    func due() async throws {
        try await withHost {
            App.register(App.refresh) { task in
                let next = BGAppRefreshTaskRequest(identifier: App.refresh)
                next.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
                let isTaken = (try? BGTaskScheduler.shared.submit(next)) != nil
                task.setTaskCompleted(success: isTaken)
            }
        } _: { host in
            let date = Date(timeIntervalSinceNow: 15 * 60)
            let request = BGAppRefreshTaskRequest(identifier: App.refresh)
            request.earliestBeginDate = date
            try BGTaskScheduler.shared.submit(request)
            let pending = try #require(host.submitted.first as? BGAppRefreshTaskRequest)
            #expect(host.submitted.count == 1 && pending.identifier == App.refresh)
            #expect(abs(try #require(pending.earliestBeginDate).timeIntervalSince(date)) < 0.001)
            await host.advance(by: .seconds(14 * 60))
            #expect(host.results.isEmpty && host.waiting(App.refresh) != nil)
            await host.advance(by: .seconds(60))
            #expect(host.results.count == 1 && host.submitted.count == 1)
            // Each run asks for the next.
            await host.advance(by: .seconds(3600))
            #expect(host.results.map(\.outcome) == Array(repeating: .succeeded, count: 5))
            #expect(host.elapsed == .seconds(3600 + 900))
        }
    }

    @Test("a launch takes the pending request, whatever holds it")
    func forced() async throws {
        try await withHost {
            App.register(App.index) { $0.setTaskCompleted(success: true) }
        } _: { host in
            let request = BGProcessingTaskRequest(identifier: App.index)
            request.requiresNetworkConnectivity = true
            request.earliestBeginDate = .distantFuture
            try BGTaskScheduler.shared.submit(request)
            await host.set(.network(.none))
            let result = try await host.launch(App.index)
            #expect(result.succeeded)
            #expect(host.submitted.isEmpty)
        }
    }

    @Test("the scheduler's limits and refusals are those of the daemon")
    func refusals() async throws {
        let other = "com.example.other"
        try await withHost([App.refresh: .appRefresh, other: .appRefresh]) {
            App.register(App.refresh) { _ in }
            App.register(other) { _ in }
        } _: { host in
            func code(_ request: BGTaskRequest) -> BGTaskScheduler.Error.Code? {
                do {
                    try BGTaskScheduler.shared.submit(request)
                    return nil
                } catch {
                    return (error as? BGTaskScheduler.Error)?.code
                }
            }
            #expect(code(BGAppRefreshTaskRequest(identifier: App.refresh)) == nil)
            #expect(code(BGAppRefreshTaskRequest(identifier: App.refresh)) == nil)
            #expect(code(BGAppRefreshTaskRequest(identifier: other)) == .tooManyPendingTaskRequests)
            #expect(code(BGProcessingTaskRequest(identifier: other)) == .notPermitted)
            #expect(code(BGAppRefreshTaskRequest(identifier: "com.example.none")) == .notPermitted)
            BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: App.refresh)
            #expect(host.submitted.isEmpty)
            await host.setBackgroundRefresh(false)
            #expect(code(BGAppRefreshTaskRequest(identifier: other)) == .unavailable)
        }
    }

    @Test("registering twice is a misuse, which ends no test")
    func misuse() async throws {
        try await withHost {
            App.register(App.refresh) { $0.setTaskCompleted(success: true) }
            App.register(App.refresh) { $0.setTaskCompleted(success: false) }
        } _: { host in
            let misuses = host.misuses
            #expect(misuses.count == 1 && misuses[0].contains("already been registered"), "\(misuses)")
            let result = try await host.launch(App.refresh)
            #expect(result.succeeded)
        }
    }

    @Test("a failure is tried again after the manifest's pause, a deferral after its own")
    func tries() async throws {
        let application = App()
        let folder = FileManager.default.temporaryDirectory.appending(path: "taskhost-\(UUID().uuidString).json")
        let manifest = #"""
            {"identifier": "com.example.app", "library": "libApp.so",
             "tasks": {"com.example.index": {"kind": "processing", "retry": {"attempts": 2, "backoff": "90s"},
                       "budget": {"wallClock": "2m"}, "settings": {"size": 7}},
                       "com.example.daily": {"kind": "processing", "schedule": {"every": "6h"}}}}
            """#
        try Data(manifest.utf8).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let host = try await TestHost(manifest: folder) {
            App.register(App.index) { task in
                application.hold(task)
                switch application.tasks.count {
                case 1: task.setTaskCompleted(success: false)
                case 2: task.setTaskDeferred(for: 30)
                default:
                    task.setTaskCompleted(success: String(decoding: task.settings, as: UTF8.self) == #"{"size":7}"#)
                }
            }
            App.register("com.example.daily") { $0.setTaskCompleted(success: true) }
        }
        try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: App.index))
        await host.advance(by: .seconds(89))
        #expect(host.results.map(\.outcome) == [.failed])
        await host.advance(by: .seconds(2))
        #expect(host.results.map(\.outcome) == [.failed, .deferred])
        await host.advance(by: .seconds(30))
        #expect(host.results.map(\.outcome) == [.failed, .deferred, .succeeded])
        #expect(host.results.map(\.attempt) == [1, 2, 2])
        // Its schedule continues.
        await host.advance(by: .seconds(86_400))
        #expect(host.results.count { $0.identifier == "com.example.daily" && $0.succeeded } == 4)
        await host.close()
    }
}
