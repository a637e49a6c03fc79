import TaskModel

/// Runs that ended badly and that the kernel's audit log may still say something of: a thread of the kernel fills it, as late as it
/// gets a processor. Fixed in number.
struct LateDenials {
    private struct Entry {
        var process: Int32
        var run: ULID
        var ended: Instant
        var told: [Denial]
    }

    private static let most = 32
    /// Later ones are dropped, as with every note after a run's end.
    private static let memory = EndedRuns.memory

    private var entries: [Entry] = []

    /// - Parameters:
    ///   - process: the one that entered the domain.
    ///   - told: what the run has been told since the last call.
    mutating func expect(of run: ULID, _ process: Int32, told: [Denial], at now: Instant) {
        entries.removeAll { now - $0.ended >= Self.memory }
        let told = told.prefix(WorkerOutput.mostTold)
        if let index = entries.lastIndex(where: { $0.run == run }) {
            entries[index].told = Array((entries[index].told + told).prefix(WorkerOutput.mostTold))
            return
        }
        if entries.count == Self.most { entries.removeFirst() }
        entries.append(Entry(process: process, run: run, ended: now, told: Array(told)))
    }

    /// Another run of the process has gone well: what comes later may be its.
    mutating func forget(_ process: Int32) {
        if !entries.isEmpty { entries.removeAll { $0.process == process } }
    }

    /// Takes a refusal that a run's process got.
    ///
    /// - Returns: false: no run of it has ended badly a moment ago. `run`: the one that it is news of; nil: it was told, or enough was.
    mutating func take(_ denial: Denial, of process: Int32, at now: Instant) -> (isTaken: Bool, run: ULID?) {
        guard let index = entries.lastIndex(where: { $0.process == process && now - $0.ended < Self.memory }) else {
            return (false, nil)
        }
        guard entries[index].told.count < WorkerOutput.mostTold, !entries[index].told.contains(where: denial.isSame)
        else { return (true, nil) }
        entries[index].told.append(denial)
        return (true, entries[index].run)
    }
}
