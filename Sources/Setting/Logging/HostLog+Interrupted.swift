package import TaskModel

extension HostLog {
    /// Logs runs whose host died before them, as the host that finds them ends them in the record. Beyond a hundred the others
    /// are one entry with their number, whatever tasks they are of.
    package func addInterrupted(_ runs: [RunRecord]) {
        for run in runs.prefix(LogPace.calm) { add(Self.end(of: run)) }
        let others = runs.count - LogPace.calm
        if others > 0 {
            var entry = LogEntry(
                LogPriority(.interrupted, isDegraded: false), LogMessage(.interrupted),
                "interrupted; \(others) more runs of the host before this one; see: taskhost history --outcome interrupted"
            )
            entry.add(.outcome, Outcome.interrupted.name)
            entry.add(.count, Int64(others))
            add(entry)
        }
        flush()
    }

    private static func end(of run: RunRecord) -> LogEntry {
        let details =
            [run.identifier, "the host before this one died"] + (run.reason.map { ["reason \($0.name)"] } ?? [])
        var entry = LogEntry(
            LogPriority(.interrupted, isDegraded: !run.degraded.isEmpty), LogMessage(.interrupted),
            "interrupted; \(details.joined(separator: ", ")); see: taskhost show \(run.id)")
        entry.add(.run, run.id.description)
        entry.add(.task, run.identifier)
        entry.add(.application, run.application)
        entry.add(.kind, run.kind?.name)
        entry.add(.attempt, Int64(run.attempt))
        entry.add(.outcome, Outcome.interrupted.name)
        entry.add(.reason, run.reason?.name)
        entry.add(.degraded, run.degraded.joined(separator: ","))
        return entry
    }
}
