import Linux
import TaskModel

/// Memory of a set of processes that no memory controller watches: what walks over them have found.
struct MemoryMeter {
    /// The limit that the host compares with; nil for none.
    var bound: ByteCount?
    /// Of the last walk; nil: none has been over, or it found no memory.
    private(set) var current: ByteCount?
    private var highest: UInt64 = 0
    /// The leader's own peak when the peak was last reset: only a higher one is news.
    private var leaderPeakAtReset: UInt64 = 0

    /// A walk has found this.
    mutating func take(_ bytes: UInt64) {
        current = bytes > 0 ? ByteCount(bytes: bytes) : nil
        highest = max(highest, bytes)
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

    /// Its processes are gone, and others come.
    mutating func begin() {
        resetPeak(leader: nil)
        current = nil
    }
}
