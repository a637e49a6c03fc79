package import Linux
import TaskModel

/// A worker and its descendants without cgroups: what is below its keeper, which no process can leave.
///
/// Thread: the host's loop thread only.
package final class ProcessTree {
    /// Pid, process group and session in one.
    let leader: Int32
    private let keeper: Int32
    /// Its pidfd; it ends with the last process of the tree. nil: there was no descriptor for it here, and its number has to do.
    private let handle: Descriptor?
    /// More processes and threads than that are not looked at.
    var bound = Int.max
    /// A look found more.
    private(set) var isOverrun = false
    /// Once the tree was seen empty its numbers may belong to strangers.
    private var isGone = false
    private var lastCPU: Int64 = 0
    /// Nanoseconds of all but the leader, as of the last walk.
    private var othersCPU: Int64 = 0

    /// - Parameter handle: the keeper's pidfd.
    package init(leader: Int32, keeper: Int32, _ handle: consuming Descriptor?) {
        self.leader = leader
        self.keeper = keeper
        self.handle = handle
    }

    private var keeperHasEnded: Bool {
        switch handle {
        case .some(let keeper): keeper.isReady(.readable)
        case .none: false
        }
    }

    /// The members that live, zombies left out.
    func members() -> [ProcessStatus] {
        guard !isGone, !keeperHasEnded else { return [] }
        let found = Descendants(of: keeper, atMost: bound)
        isOverrun = isOverrun || found.isCut
        return found.living
    }

    func isEmpty() -> Bool {
        // A keeper without a child that lives gets no other one.
        if !isGone && (keeperHasEnded || !Descendants.hasChild(keeper)) { isGone = true }
        return isGone
    }

    /// How often one call looks again for what was forked in the meantime.
    private static let looks = 8

    /// Signals the group at once, the leader even before it has called setsid, and then what else is found.
    func signal(_ signal: Signal) {
        guard !isGone else { return }
        // A group that has ended is not an error: isEmpty shows it.
        ProcessHandle.signal(group: leader, signal)
        var known: Set<Int32> = []
        for _ in 0..<Self.looks {
            let others = members().filter { $0.group != leader && known.insert($0.pid).inserted }
            guard !others.isEmpty else { return }
            for process in others { ProcessHandle.signal(pid: process.pid, signal) }
        }
    }

    /// A walk over it as it is now; nil: it has ended.
    func walk(memory bound: ByteCount?) -> TreeWalk? {
        guard !isGone, !keeperHasEnded else { return nil }
        return TreeWalk(keeper: keeper, leader: leader, atMost: self.bound, memory: bound)
    }

    /// The walk is over.
    func take(_ walk: TreeWalk) {
        isOverrun = isOverrun || walk.isCut
        let second: UInt64 = 1_000_000_000
        othersCPU = max(othersCPU, Int64(clamping: walk.ticks &* (second / ProcessStatus.ticksPerSecond)))
    }

    /// Nanoseconds; never falls. The leader's clock is exact; the others count as of the last walk, in clock ticks.
    func cpuTime() -> Int64 {
        guard !isGone else { return lastCPU }
        // The clock of a zombie can still be read; once it is reaped the last reading counts.
        if let own = ProcessHandle.cpuTime(of: leader) { lastCPU = max(lastCPU, own + othersCPU) }
        return lastCPU
    }
}
