import Linux
import TaskModel

/// Memory of a set of processes that no memory controller watches: sums over `/proc`.
struct MemoryMeter {
    /// The limit that the host compares with; nil for none.
    var bound: ByteCount?
    private var highest: UInt64 = 0
    /// The leader's own peak when the peak was last reset: only a higher one is news.
    private var leaderPeakAtReset: UInt64 = 0

    /// Resident memory of `pids`. That counts shared pages once for each process, so a sum beyond the bound is taken
    /// again in proportion, which costs more and is not allowed for every process.
    mutating func current(of pids: [Int32]) -> ByteCount? {
        var sum = pids.reduce(UInt64(0)) { $0 &+ (ProcessMemory.resident(of: $1) ?? 0) }
        if let bound, sum > bound.bytes {
            sum = pids.reduce(UInt64(0)) { sum, pid in
                sum &+ (ProcessMemory.proportional(of: pid) ?? ProcessMemory.resident(of: pid) ?? 0)
            }
        }
        guard sum > 0 else { return nil }
        highest = max(highest, sum)
        return ByteCount(bytes: sum)
    }

    /// The highest sum seen, or the leader's own peak if that is higher.
    mutating func peak(leader: Int32?) -> ByteCount? {
        if let leader, let own = ProcessMemory.peak(of: leader), own > leaderPeakAtReset { highest = max(highest, own) }
        return highest > 0 ? ByteCount(bytes: highest) : nil
    }

    mutating func resetPeak(leader: Int32?) {
        leaderPeakAtReset = leader.flatMap(ProcessMemory.peak(of:)) ?? 0
        highest = 0
    }
}
