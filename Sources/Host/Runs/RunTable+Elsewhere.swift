package import Record
package import TaskModel

// Runs of other hosts.
extension RunTable {
    /// Remembers a run that a host of its own has ended, as `taskhost run -- COMMAND` is beside a daemon.
    ///
    /// - Parameter run: with its outcome and its end; nothing is kept of its pauses and its output.
    /// - Returns: whether it has both.
    package func keep(_ run: RunRecord) throws(StoreError) -> Bool {
        guard let outcome = run.outcome, let ended = run.endedAt else { return false }
        let task = try keeper.taskRow(TaskName(run.identifier, of: run.application))
        let setup = try keeper.setupRow(RunSetup(confinement: run.confinement, degraded: run.degraded))
        keeper.write(
            .runBegan(
                RunStart(
                    id: run.id, task: task, attempt: run.attempt, submittedAt: run.submittedAt,
                    startedAt: run.startedAt, setup: setup, origin: run.origin, kind: run.kind), waits: run.waits))
        let end = RunEnd(
            id: run.id, outcome: outcome, reason: run.reason, startedAt: run.startedAt, expiredAt: run.expiredAt,
            endedAt: ended, figures: run.figures, setup: setup)
        keeper.write(.runEnded(end, Self.events(run.events)))
        if !run.diagnostics.isEmpty { keeper.write(.diagnostics(run.id, run.diagnostics)) }
        return true
    }

    /// The first of each kind: there is room for these.
    private static func events(_ list: [RunEvent]) -> RunEvents {
        var (events, seen) = (RunEvents(), Set<RunEvent.Kind>())
        for event in list where seen.insert(event.kind).inserted {
            events.append(event.kind, at: event.at, detail: event.detail)
        }
        return events
    }
}
