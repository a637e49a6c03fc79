import BackgroundTasks
import TaskHostExtensions
import TaskHostTesting
import Testing

@Suite("The testing kit expires runs")
struct ExpirationTests {
    typealias App = TestApplication

    static let reasons: [ExpirationReason] = (1...14).compactMap { ExpirationReason(rawValue: $0) }

    @Test("for each reason, which the handler finds", arguments: reasons)
    func reason(_ reason: ExpirationReason) async throws {
        let application = App()
        try await withHost {
            App.register(App.index) { application.hold($0) }
        } _: { host in
            let run = try await host.start(App.index)
            let result = try await run.expire(reason)
            #expect(result.reason == reason && application.expirations == 1)
            #expect(result.outcome == (reason == .userCancelled ? .cancelled : .expired))
            #expect(application.tasks.first?.expirationReason == reason)
            await #expect(throws: TestHostError.notRunning(App.index)) { try await run.expire(reason) }
        }
    }

    @Test("a run that is warned right after its start has the handler that it set on its own queue")
    func atOnce() async throws {
        let application = App()
        let queue = DispatchQueue(label: "busy")
        try await withHost {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: App.index, using: queue) { application.hold($0) }
        } _: { host in
            let gate = DispatchSemaphore(value: 0)
            queue.async { gate.wait() }
            async let run = host.start(App.index)
            queue.async {}
            gate.signal()
            let result = try await run.expire(.networkLost)
            #expect(result.outcome == .expired && application.expirations == 1)
        }
    }

    @Test("by the clock: the warning comes before the end of the budget")
    func budget() async throws {
        let application = App()
        try await withHost {
            App.register(App.refresh) { application.hold($0) }
        } _: { host in
            let run = try await host.start(App.refresh)
            await host.advance(by: .seconds(24))
            #expect(run.result == nil && application.expirations == 0)
            #expect(application.tasks.first?.timeRemaining == 6)
            await host.advance(by: .seconds(1))
            #expect(run.result?.outcome == .expired && run.result?.reason == .budget)
            #expect(run.result?.duration == .seconds(25))
        }
    }

    @Test("who ignores the warning overruns, and the next run has a new process")
    func overrun() async throws {
        let application = App()
        try await withHost(patience: .milliseconds(50)) {
            App.register(App.refresh) { application.ignore($0) }
        } _: { host in
            _ = try await host.start(App.refresh)
            let result = try await host.expire(App.refresh)
            #expect(result.outcome == .overran && result.duration == .seconds(5) && application.expirations == 1)
            #expect(host.terminations == ["backgroundTaskTimeout"])
            // Calls of the process that is gone do not count.
            application.tasks.first?.setTaskCompleted(success: true)
            #expect(host.results == [result])
            let next = try await host.start(App.refresh)
            application.tasks.last?.setTaskCompleted(success: true)
            let ended = try await next.end()
            #expect(ended.succeeded)
        }
    }

    @Test("without an expiration handler the run fails")
    func noHandler() async throws {
        let application = App()
        try await withHost {
            App.register(App.refresh) { task in
                application.hold(task)
                task.expirationHandler = nil
            }
        } _: { host in
            _ = try await host.start(App.refresh)
            let result = try await host.expire(App.refresh, reason: .networkLost)
            #expect(result.outcome == .failed)
            #expect(result.diagnostics.first?.contains("no expiration handler was set") == true)
        }
    }

    @Test("a run that a request has started expires when it loses what the request requires")
    func lost() async throws {
        let application = App()
        try await withHost(patience: .milliseconds(50)) {
            App.register(App.index) { application.hold($0) }
        } _: { host in
            let request = BGProcessingTaskRequest(identifier: App.index)
            request.requiresExternalPower = true
            await host.set(.externalPower(false))
            try BGTaskScheduler.shared.submit(request)
            await host.advance(by: .seconds(3600))
            #expect(host.running.isEmpty && host.waiting(App.index)?.contains("power") == true)
            await host.set(.externalPower(true))
            #expect(host.running.count == 1 && host.submitted.isEmpty)
            await host.set(.externalPower(false))
            await host.advance(by: .zero)
            #expect(host.results.map(\.reason) == [.powerLost])
            #expect(host.results.first?.isPendingAgain == true && host.submitted.count == 1)
        }
    }
}
