package import Record
package import TaskModel

extension Store {
    /// Gives every run without an outcome the outcome `interrupted`: the host that had it died. Call once, before the first
    /// run; takes time for the unfinished runs alone.
    ///
    /// It is part of the turn's transaction, so that what follows from it, such as recording the next attempt, is committed
    /// together with it.
    ///
    /// - Returns: those runs as they now stand, oldest first.
    package func interruptUnfinished(at moment: Timestamp) throws(StoreError) -> [RunRecord] {
        var interrupted: [RunRecord] = []
        for (sequence, unfinished) in try history.unfinished() {
            places.remember(unfinished.id, at: sequence)
            var record = unfinished
            record.outcome = .interrupted
            record.endedAt = moment
            record.events = Self.eventsKnown(of: unfinished, interruptedAt: moment)
            let end = RunEnd(
                id: record.id, outcome: .interrupted, reason: record.reason, startedAt: record.startedAt,
                expiredAt: record.expiredAt, endedAt: moment)
            try finishRun(end, events: record.events.span)
            interrupted.append(record)
        }
        return interrupted
    }

    /// Events are written at a run's end; the crash left the moments in its columns.
    private static func eventsKnown(of run: RunRecord, interruptedAt moment: Timestamp) -> [RunEvent] {
        var events = [RunEvent(kind: .submitted, at: run.submittedAt)]
        if let started = run.startedAt { events.append(RunEvent(kind: .started, at: started)) }
        if let expired = run.expiredAt {
            events.append(RunEvent(kind: .expired, at: expired, detail: run.reason?.rawValue ?? 0))
        }
        events.append(RunEvent(kind: .interrupted, at: moment))
        return events
    }
}
