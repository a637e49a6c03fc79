public import Foundation
public import TaskHostExtensions
internal import TaskModel

extension TestHost {
    /// Starts a run of a task now: of its pending request, or without one if nothing is pending or the test gives a payload
    /// or settings. Conditions and dates do not hold it.
    /// - Parameters:
    ///   - identifier: of the task; for a wildcard a concrete one.
    ///   - payload: what `BGTask.payload` gives; 128 KiB at most.
    ///   - settings: JSON in place of the manifest's settings; nil: those hold.
    /// - Returns: the run. Its launch handler has returned, unless that takes longer than `patience`.
    /// - Throws: `TestHostError.unknownTask`, and `.notStarted` when the host does not start it.
    public func start(_ identifier: String, payload: Data = Data(), settings: String? = nil) async throws -> TestRun {
        guard let task = core.change({ $0.task(of: identifier) }) else { throw TestHostError.unknownTask(identifier) }
        guard payload.count <= TaskRequest.maximumPayload else {
            throw TestHostError.notStarted(
                identifier, why: "the payload has \(payload.count) bytes; give \(TaskRequest.maximumPayload) at most")
        }
        let bytes = Array(payload)
        let run = core.change { model -> RunHandle? in
            let isPlain = bytes.isEmpty && settings == nil
            if isPlain, model.pending(identifier) != nil { return model.launchPending(identifier) }
            let facts = RunFacts(
                identifier: identifier, id: "", kind: model.tasks[task]?.kind ?? .processing, attempt: 1,
                payload: bytes, settings: Array((settings ?? "").utf8))
            return model.admit(facts, of: task)
        }
        guard let run else {
            throw TestHostError.notStarted(
                identifier, why: waiting(identifier) ?? "a run of the same identifier is in progress; wait for its end")
        }
        core.change { $0.facts[run]?.isWatched = false }
        await settle()
        _ = await core.wait(within: patience) { model, _ in
            model.launchesSlowly || model.facts[run]?.hasReturned != false || model.facts[run]?.result != nil
        }
        if core.change({ $0.launchesSlowly }) {
            await advance(by: .nanoseconds(core.change { $0.profile.launch.nanoseconds }))
        }
        return TestRun(self, run, identifier: identifier)
    }

    /// Starts a run of a task, and waits for its end.
    /// - Parameters:
    ///   - identifier: of the task; for a wildcard a concrete one.
    ///   - payload: what `BGTask.payload` gives.
    ///   - settings: JSON in place of the manifest's settings; nil: those hold.
    ///   - time: how long to wait, by the real clock. The virtual clock stands still.
    /// - Throws: as `start`, and `TestHostError.noEnd` when it has not ended by then.
    @discardableResult
    public func launch(
        _ identifier: String, payload: Data = Data(), settings: String? = nil, within time: Duration = .seconds(10)
    ) async throws -> RunResult {
        try await start(identifier, payload: payload, settings: settings).end(within: time)
    }

    /// Warns the newest run of a task, and waits for its end; see `TestRun.expire`.
    /// - Throws: `TestHostError.notRunning`.
    @discardableResult
    public func expire(_ identifier: String, reason: ExpirationReason = .budget) async throws -> RunResult {
        guard let run = running.last(where: { $0.identifier == identifier }) else {
            throw TestHostError.notRunning(identifier)
        }
        return try await run.expire(reason)
    }

    /// Lets virtual time pass: requests become due and start, budgets and pauses end. The clock stops at each of these
    /// moments, until the application was called; it also waits for runs that it started or warned, for `patience` at most.
    /// - Parameter time: of the virtual clock; the calendar of requests and schedules moves by as much.
    public func advance(by time: Duration) async {
        let (seconds, rest) = time.components
        let span = TimeSpan(nanoseconds: max(0, seconds.multipliedWithSaturation(by: 1_000_000_000)))
        let end = core.change { $0.now.instant } + span + TimeSpan(nanoseconds: max(0, rest / 1_000_000_000))
        while true {
            await react()
            if core.change({ $0.step(to: end) }) { break }
        }
        await react()
    }

    /// Waits until the application was called, and has completed what was started or warned.
    private func react() async {
        await settle()
        _ = await core.wait(within: patience) { model, isIdle in
            isIdle && !model.facts.values.contains { $0.isWatched && $0.result == nil }
        }
        core.change { model in
            for run in model.active(nil) { model.facts[run]?.isWatched = false }
        }
    }
}

extension Int64 {
    fileprivate func multipliedWithSaturation(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}

extension HostModel {
    /// Until the host ends the warned run.
    func timeToKill(of run: RunHandle) -> Duration {
        guard let slot = engine.runs[run], let expired = slot.expired, let task = tasks[slot.task] else { return .zero }
        let end = min(slot.budgetEnd, now.instant + (expired + task.budget.grace - now.time))
        return .nanoseconds((end - now.instant).nanoseconds)
    }
}
