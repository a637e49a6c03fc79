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
        if let index = entries.lastIndex(where: { $0.run == run }) { return entries[index].told += told }
        if entries.count == Self.most { entries.removeFirst() }
        entries.append(Entry(process: process, run: run, ended: now, told: told))
    }

    /// The run that a refusal is news of; nil: it is of none, or was told.
    mutating func take(_ denial: Denial, of process: Int32, at now: Instant) -> ULID? {
        guard let index = entries.lastIndex(where: { $0.process == process && now - $0.ended < Self.memory }),
            entries[index].told.count < WorkerOutput.mostTold, !entries[index].told.contains(where: denial.isSame)
        else { return nil }
        entries[index].told.append(denial)
        return entries[index].run
    }
}
