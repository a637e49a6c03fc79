package import Linux
package import TaskModel

/// One reading of a tree that no control group meters, in steps of one process each: the host goes on with it in later turns.
///
/// First all processes are counted, so that a tree with too many shows before its memory is read; then the memory of each is
/// read, and beyond the limit that of some in proportion. Nothing is known before it is over.
package struct TreeWalk {
    /// What it does next.
    private enum Stage {
        case counting
        case keeping
        case weighing
        case apportioning
        case over
    }

    /// Processor time of all but the leader, what they have waited for included, in clock ticks.
    package private(set) var ticks: UInt64 = 0
    /// It has more processes and threads than it may: their memory is not known.
    package private(set) var isCut = false
    /// Resident bytes of all. Shared pages count once for each process, so a sum beyond the limit is taken again in proportion,
    /// which costs more and is not allowed for every process.
    package private(set) var memory: UInt64 = 0

    private var stage: Stage
    private let leader: Int32?
    private let keeper: Int32?
    private let bound: UInt64?
    private var descendants: DescendantWalk?
    private var pids: [Int32]
    private var next = 0
    private var residents: [(pid: Int32, bytes: UInt64)] = []
    /// Places in `residents` that are read in proportion: the largest, and then some that stand evenly among the others.
    private var chosen: [Int] = []
    private var proportional: [UInt64] = []

    /// How many processes are read in proportion at a time, each of which costs some 0.3 ms: the largest ones, and some of the
    /// others.
    private static let (mostLargest, mostOthers) = (16, 8)

    /// - Parameters:
    ///   - keeper: what is below it belongs to the tree.
    ///   - most: processes and threads; one more ends the walk.
    ///   - bound: beyond it the sum is taken in proportion; nil: never.
    package init(keeper: Int32, leader: Int32, atMost most: Int, memory bound: ByteCount?) {
        stage = .counting
        self.keeper = keeper
        self.leader = leader
        self.bound = bound?.bytes
        descendants = DescendantWalk(of: keeper, atMost: most)
        pids = []
    }

    /// Of processes that a control group has counted, and whose time it meters.
    package init(of pids: [Int32], memory bound: ByteCount?) {
        stage = pids.isEmpty ? .over : .weighing
        keeper = nil
        leader = nil
        self.bound = bound?.bytes
        self.pids = pids
    }

    package var isOver: Bool { stage == .over }

    /// Reads one process, or one list of children.
    package mutating func step(_ source: some ProcessSource) {
        switch stage {
        case .counting: count(source)
        case .keeping: keep(source)
        case .weighing: weigh(source)
        case .apportioning: apportion(source)
        case .over: return
        }
    }

    // MARK: Counting

    private mutating func count(_ source: some ProcessSource) {
        descendants?.step(source)
        guard let found = descendants, found.isOver else { return }
        descendants = nil
        isCut = found.isCut
        for process in found.living {
            ticks &+= process.childTicks &+ (process.pid == leader ? 0 : process.ticks)
        }
        pids = found.living.map(\.pid)
        stage = isCut ? .over : .keeping
    }

    /// What was orphaned is waited for by the keeper.
    private mutating func keep(_ source: some ProcessSource) {
        if let keeper { ticks &+= source.status(of: keeper)?.childTicks ?? 0 }
        stage = pids.isEmpty ? .over : .weighing
    }

    // MARK: Memory

    private mutating func weigh(_ source: some ProcessSource) {
        let pid = pids[next]
        next += 1
        if let bytes = source.resident(of: pid) { residents.append((pid, bytes)) }
        guard next == pids.count else { return }
        memory = residents.reduce(0) { $0 &+ $1.bytes }
        guard let bound, memory > bound else { return stage = .over }
        residents.sort { $0.bytes > $1.bytes }
        let others = residents.indices.dropFirst(Self.mostLargest)
        let distance = max(1, others.count / Self.mostOthers)
        chosen = Array(residents.indices.prefix(Self.mostLargest))
        chosen += stride(from: others.startIndex, to: others.endIndex, by: distance)
        stage = .apportioning
    }

    private mutating func apportion(_ source: some ProcessSource) {
        let process = residents[chosen[proportional.count]]
        proportional.append(source.proportional(of: process.pid) ?? process.bytes)
        guard proportional.count == chosen.count else { return }
        stage = .over
        let largest = proportional.prefix(Self.mostLargest).reduce(0, &+)
        // The others by the proportion of those that were read.
        let all = residents.dropFirst(Self.mostLargest).reduce(UInt64(0)) { $0 &+ $1.bytes }
        let whole = chosen.dropFirst(Self.mostLargest).reduce(UInt64(0)) { $0 &+ residents[$1].bytes }
        let some = proportional.dropFirst(Self.mostLargest).reduce(0, &+)
        memory = largest &+ (whole > 0 ? UInt64(Double(all) * Double(some) / Double(whole)) : 0)
    }
}
