import BackgroundTasks
import TaskHostExtensions
import TaskHostTesting
import Testing

@Suite("The testing kit launches handlers")
struct LaunchTests {
    typealias App = TestApplication

    @Test("a registered handler runs, and its result is there")
    func launch() async throws {
        try await withHost {
            App.register(App.refresh) { $0.setTaskCompleted(success: $0 is BGAppRefreshTask) }
        } _: { host in
            let result = try await host.launch(App.refresh)
            #expect(result.succeeded && result.outcome == .succeeded && result.reason == nil)
            #expect(result.duration == .zero && result.attempt == 1 && !result.isPendingAgain)
            #expect(host.results == [result] && host.running.isEmpty)
        }
    }

    @Test("each host launches the application again")
    func again() async throws {
        for success in [true, false] {
            try await withHost {
                App.register(App.refresh) { $0.setTaskCompleted(success: success) }
            } _: { host in
                let ended = try await host.launch(App.refresh)
                #expect(ended.outcome == (success ? .succeeded : .failed))
                #expect(host.misuses.isEmpty)
            }
        }
    }

    @Test("the handler gets payload and settings, and its log and progress are in the result")
    func inputs() async throws {
        try await withHost {
            App.register(App.index) { task in
                task.showProgress(completed: 3, of: 4, text: "three")
                let text = String(decoding: task.payload, as: UTF8.self)
                task.setTaskCompleted(
                    success: text == "hello" && String(decoding: task.settings, as: UTF8.self) == #"{"a":1}"#
                        && task.identifier == App.index && task.attempt == 1 && task.timeRemaining == 300)
            }
        } _: { host in
            let result = try await host.launch(App.index, payload: Data("hello".utf8), settings: #"{"a":1}"#)
            #expect(result.succeeded)
            #expect(result.progress == [.init(completed: 3, total: 4, text: "three")])
        }
    }

    @Test("a dropped task is unreported, a late handler has its time, a second completion is noted")
    func ends() async throws {
        let application = App()
        try await withHost {
            App.register(App.refresh) { _ in }
            App.register(App.index) { application.hold($0) }
        } _: { host in
            let ended = try await host.launch(App.refresh)
            #expect(ended.outcome == .unreported)
            let run = try await host.start(App.index)
            await host.advance(by: .seconds(40))
            #expect(run.result == nil && host.running.count == 1)
            for success in [true, false] { application.tasks.first?.setTaskCompleted(success: success) }
            let result = try await run.end()
            #expect(result.outcome == .succeeded && result.duration == .seconds(40))
            #expect(
                host.results.last?.diagnostics == ["setTaskCompleted was called more than once; the first call counted"]
            )
        }
    }

    @Test("what cannot be started says why")
    func refusals() async throws {
        try await withHost {
        } _: { host in
            await #expect(throws: TestHostError.unknownTask("com.example.other")) {
                try await host.launch("com.example.other")
            }
            await #expect(throws: TestHostError.notRunning(App.refresh)) { try await host.expire(App.refresh) }
            let result = try await host.launch(App.refresh)
            #expect(result.outcome == .refused)
            #expect(result.diagnostics.first?.contains("has registered no handler") == true)
        }
        struct Broken: Error {}
        await #expect(throws: TestHostError.self) {
            try await withHost {
                throw Broken()
            } _: { _ in
            }
        }
        do {
            try await withHost(["com.example.*.x": .processing]) {
            } _: { _ in
            }
            Issue.record("it was taken")
        } catch TestHostError.manifest(let faults) {
            #expect(faults.count == 1 && faults[0].contains("com.example.*.x"))
        }
    }

    @Test("a handler that never ends is named")
    func noEnd() async throws {
        let application = App()
        try await withHost {
            App.register(App.refresh) { application.hold($0) }
        } _: { host in
            await #expect(throws: TestHostError.noEnd(App.refresh, within: .milliseconds(50))) {
                try await host.launch(App.refresh, within: .milliseconds(50))
            }
        }
    }

    @Test("continued processing: a concrete identifier of a wildcard, from the foreground alone")
    func continued() async throws {
        try await withHost(["com.example.export.*": .continuedProcessing]) {
            App.register("com.example.export.*") { task in
                guard let task = task as? BGContinuedProcessingTask else { return }
                task.progress.totalUnitCount = 2
                task.progress.completedUnitCount = 2
                task.setTaskCompleted(success: task.title == "Export" && task.subtitle == "two files")
            }
        } _: { host in
            let request = BGContinuedProcessingTaskRequest(
                identifier: "com.example.export.7", title: "Export", subtitle: "two files")
            #expect(throws: BGTaskScheduler.Error.self) { try BGTaskScheduler.shared.submit(request) }
            await host.enterForeground()
            try BGTaskScheduler.shared.submit(request)
            await host.advance(by: .zero)
            #expect(host.results.map(\.outcome) == [.succeeded])
            #expect(host.results.first?.progress.last?.completed == 2)
        }
    }
}
