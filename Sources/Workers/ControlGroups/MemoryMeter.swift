import Linux
import TaskModel

/// Memory of a set of processes that no memory controller watches: sums over `/proc`.
struct MemoryMeter {
    /// The limit that the host compares with; nil for none.
    var bound: ByteCount?
    private var highest: UInt64 = 0
    /// The leader's own peak when the peak was last reset: only a higher one is news.
    private var leaderPeakAtReset: UInt64 = 0

    /// How many processes are read in proportion at a time, each of which costs some 0.3 ms: the largest ones, and some of the others.
    private static let (mostLargest, mostOthers) = (16, 8)

    /// Resident memory of `pids`. That counts shared pages once for each process, so a sum beyond the bound is taken
    /// again in proportion, which costs more and is not allowed for every process.
    mutating func current(of pids: [Int32]) -> ByteCount? {
        let residents = pids.compactMap { pid in ProcessMemory.resident(of: pid).map { (pid: pid, bytes: $0) } }
        var sum = residents.reduce(UInt64(0)) { $0 &+ $1.bytes }
        if let bound, sum > bound.bytes {
            let all = residents.sorted { $0.bytes > $1.bytes }
            sum = Self.proportional(all.prefix(Self.mostLargest)) &+ Self.estimate(all.dropFirst(Self.mostLargest))
        }
        guard sum > 0 else { return nil }
        highest = max(highest, sum)
        return ByteCount(bytes: sum)
    }

    private static func proportional(_ processes: ArraySlice<(pid: Int32, bytes: UInt64)>) -> UInt64 {
        processes.reduce(0) { $0 &+ (ProcessMemory.proportional(of: $1.pid) ?? $1.bytes) }
    }

    /// By the proportion of some that stand evenly among them.
    private static func estimate(_ processes: ArraySlice<(pid: Int32, bytes: UInt64)>) -> UInt64 {
        let step = max(1, processes.count / mostOthers)
        let some = stride(from: processes.startIndex, to: processes.endIndex, by: step).map { processes[$0] }[...]
        let bytes = some.reduce(UInt64(0)) { $0 &+ $1.bytes }
        guard bytes > 0 else { return 0 }
        let all = processes.reduce(UInt64(0)) { $0 &+ $1.bytes }
        return UInt64(Double(all) * Double(proportional(some)) / Double(bytes))
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
