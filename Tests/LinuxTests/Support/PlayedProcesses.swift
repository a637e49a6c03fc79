import Linux

/// Processes that a test plays: one tree below each keeper. Counts what is read of them.
final class PlayedProcesses: ProcessSource {
    private var children: [Int32: [Int32]] = [:]
    private var parents: [Int32: Int32] = [:]
    /// Bytes of each; proportional ones are a quarter.
    var bytes: UInt64 = 1 << 20
    private(set) var statuses = 0
    private(set) var lists = 0
    private(set) var residents = 0
    private(set) var proportionals = 0

    /// All files that were read.
    var reads: Int { statuses + lists + residents + proportionals }

    /// Adds a tree: a leader below the keeper, and others below the leader.
    ///
    /// - Parameter keeper: the numbers that follow it are the tree's.
    func add(keeper: Int32, processes: Int32) {
        let leader = keeper + 1
        children[keeper] = [leader]
        children[leader] = Array(leader + 1..<leader + processes)
        parents[leader] = keeper
        for pid in leader + 1..<leader + processes { parents[pid] = leader }
    }

    func status(of pid: Int32) -> ProcessStatus? {
        statuses += 1
        return ProcessStatus(
            parsing: "\(pid) (x) S \(parents[pid] ?? 1) 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 0".utf8.span)
    }

    func threads(of pid: Int32) -> [Int32] { [pid] }

    func children(of pid: Int32, _ task: Int32, atMost most: Int) throws(SystemError) -> [Int32] {
        lists += 1
        return children[pid] ?? []
    }

    func all() -> [ProcessStatus] { [] }

    func resident(of pid: Int32) -> UInt64? {
        residents += 1
        return bytes
    }

    func proportional(of pid: Int32) -> UInt64? {
        proportionals += 1
        return bytes / 4
    }
}
