/// How far this machine lets the host meter, limit and kill a process tree; from most to least.
package enum ControlTier: String, CaseIterable, Sendable {
    /// Cgroup 2 with the memory and pids controllers: the kernel does everything.
    case unified
    /// Cgroup 2 without controllers serves CPU metering, freezing and killing; version-1 hierarchies serve the limits
    /// of memory and processes where they can be written.
    case hybrid
    /// Version-1 hierarchies alone.
    case legacy
    /// No cgroups: a keeper of the tree, resource limits and the CPU clock of the process.
    case none
}

/// Something that a budget asks the machine to hold a process tree to.
package enum ControlledResource: CaseIterable, Sendable {
    case memory
    /// Metering CPU time, for the host to act on.
    case cpu
    /// The number of processes and threads.
    case processes
    /// Killing the whole tree.
    case killTree
}

/// How a limit of a process tree is enforced.
package enum Enforcer: Sendable, Equatable {
    /// The kernel, exactly and for the whole tree.
    case kernel
    /// By the host, which reads and kills: less precise, because it sees only what lasts longer than the time between two
    /// readings. For memory there is also the worker's `RLIMIT_DATA` (setrlimit(2)), which excludes shared mappings. For
    /// CPU, time of processes that their parent has not waited for when it ended is seen late.
    case meter
    /// Not at all.
    case impossible
}
