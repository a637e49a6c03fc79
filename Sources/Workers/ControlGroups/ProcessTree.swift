import Linux

/// A worker and its descendants without cgroups: the process group and session that the worker leads.
///
/// The worker's system-call filter refuses `setsid` and `setpgid`, so group and session contain the whole tree. Without
/// such a filter, children of members are found as well, but not those whose parent has ended.
package final class ProcessTree {
    /// Pid, process group and session in one.
    let leader: Int32
    /// Nil when the leader had ended and been reaped before it was adopted.
    private let handle: ProcessHandle?
    /// Once the tree was seen empty its number may belong to a stranger.
    private var isGone = false
    private var lastCPU: Int64 = 0
    /// CPU time of all but the leader, as of `othersReadAt`.
    private var othersCPU: Int64 = 0
    private var othersReadAt: UInt64 = 0
    /// Looking through `/proc` costs some 10 us a process of the machine.
    private static let othersInterval: UInt64 = 500_000_000

    package init(leader: Int32) {
        self.leader = leader
        handle = try? ProcessHandle(opening: leader)
    }

    private var leaderHasEnded: Bool {
        switch handle {
        case .some(let process): process.hasEnded
        case .none: true
        }
    }

    /// The members that live, zombies left out.
    func members() -> [ProcessStatus] {
        guard !isGone else { return [] }
        let leaderLives = !leaderHasEnded
        var unclaimed = ProcessStatus.all()
        var found: [ProcessStatus] = []
        var known: Set<Int32> = []
        var grew = true
        while grew {
            grew = false
            unclaimed.removeAll { process in
                guard
                    process.group == leader || process.session == leader || known.contains(process.parent)
                        || (process.pid == leader && leaderLives)
                else { return false }
                known.insert(process.pid)
                found.append(process)
                grew = true
                return true
            }
        }
        return found.filter(\.isAlive)
    }

    func isEmpty() -> Bool {
        if !isGone && leaderHasEnded && members().isEmpty { isGone = true }
        return isGone
    }

    /// Signals the group at once, the leader even before it has called setsid, and then what else is found.
    func signal(_ signal: Signal) {
        guard !isGone else { return }
        // A group that has ended is not an error: isEmpty shows it.
        ProcessHandle.signal(group: leader, signal)
        switch handle {
        case .some(let process): try? process.signal(signal)
        case .none: break
        }
        for process in members() where process.group != leader { ProcessHandle.signal(pid: process.pid, signal) }
    }

    /// Nanoseconds; never falls. The leader's clock is exact, the others are read twice a second in clock ticks.
    func cpuTime() -> Int64 {
        guard !isGone, handle != nil else { return lastCPU }
        let now = Clock.monotonic()
        if now &- othersReadAt >= Self.othersInterval {
            othersReadAt = now
            let ticks = members().reduce(UInt64(0)) { sum, process in
                sum &+ process.childTicks &+ (process.pid == leader ? 0 : process.ticks)
            }
            let second: UInt64 = 1_000_000_000
            othersCPU = max(othersCPU, Int64(clamping: ticks &* (second / ProcessStatus.ticksPerSecond)))
        }
        // The clock of a zombie can still be read; once it is reaped the last reading counts.
        if let own = ProcessHandle.cpuTime(of: leader) { lastCPU = max(lastCPU, own + othersCPU) }
        return lastCPU
    }
}
