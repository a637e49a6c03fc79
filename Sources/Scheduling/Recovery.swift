package import Record
package import TaskModel

/// What a host records first because the previous one died: runs without an outcome were interrupted, and their requests
/// wait again or are deleted, by the same rule as in a live host. Manifests do not matter: requests of tasks without a
/// manifest are treated the same way.
///
/// A value without clock or record. Its writes belong to one turn, so that a run does not end without its request.
package struct Recovery: Sendable, Equatable {
    /// The writes before the host's first turn; empty when nothing was in progress.
    package private(set) var record = TurnRecord()

    /// - Parameters:
    ///   - runs: those without an outcome, from `RecordStore.unfinishedRuns`.
    ///   - requests: those that were running and those that wait under the same identities, from
    ///     `RecordStore.interruptedRequests`.
    package init(runs: [RunRecord], requests: [TaskRequest], at now: Timestamp) {
        var known: [ULID: RunRecord] = [:]
        for run in runs {
            known[run.id] = run
            // Its process died with the host, at an unknown time.
            if let pause = run.pauses.last, pause.to == nil { record.append(.runResumed(run.id, at: now)) }
            record.append(Self.end(of: run, at: now))
        }
        var waiting: [Int64: TaskRequest] = [:]
        for request in requests where request.running == nil { waiting[request.identity] = request }
        for request in requests {
            guard let id = request.running else { continue }
            resume(request, known[id], waiting[request.identity], at: now)
        }
    }

    private mutating func resume(
        _ request: TaskRequest, _ run: RunRecord?, _ pending: TaskRequest?, at now: Timestamp
    ) {
        let end = RequestEnd(
            outcome: .interrupted, reason: run?.reason, cpuTime: nil, hasStarted: run?.startedAt != nil)
        // No run that a host's death interrupted is a failure, so the number of tries does not matter.
        let sequel = Sequel(after: end, attempt: request.attempt, failures: request.failures, attempts: 1)
        guard case .again(let attempt, _) = sequel, pending.map({ Self.givesWay($0, at: now) }) ?? true else {
            return forget(request)
        }
        if let pending { forget(pending) }
        var request = request
        request.running = nil
        request.notBefore = nil
        request.deferrals = 0
        request.attempt = attempt
        // The user ran it early: that time is still to come, and this run does not count as a try.
        if let time = request.scheduledFor, time > now { request.scheduledFor = nil }
        record.append(.requestPut(request))
    }

    private mutating func forget(_ request: TaskRequest) {
        record.append(.requestForgotten(identity: request.identity, submitted: request.submitted))
    }

    private static func givesWay(_ pending: TaskRequest, at now: Timestamp) -> Bool {
        Sequel.givesWay(
            origin: pending.terms.origin, scheduledFor: pending.scheduledFor?.nanoseconds ?? RequestSlot.none,
            isForced: false, returning: now.nanoseconds)
    }

    private static func frozenTime(of run: RunRecord, until now: Timestamp) -> TimeSpan? {
        guard !run.pauses.isEmpty else { return nil }
        return run.pauses.reduce(TimeSpan.zero) { $0 + max(.zero, ($1.to ?? now) - $1.from) }
    }

    /// Events are written at a run's end; the host's death left the moments that were recorded before.
    private static func end(of run: RunRecord, at now: Timestamp) -> RecordWrite {
        var events = RunEvents()
        events.append(.submitted, at: run.submittedAt)
        if let started = run.startedAt { events.append(.started, at: started) }
        if let expired = run.expiredAt { events.append(.expired, at: expired, detail: run.reason?.rawValue ?? 0) }
        events.append(.interrupted, at: now)
        let end = RunEnd(
            id: run.id, outcome: .interrupted, reason: run.reason, startedAt: run.startedAt, expiredAt: run.expiredAt,
            endedAt: now, figures: RunFigures(frozenTime: frozenTime(of: run, until: now)))
        return .runEnded(end, events)
    }
}
