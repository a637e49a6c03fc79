/// A cgroup hierarchy, by what the host wants of it. The order is that of emptying them: those that can thaw come first,
/// for SIGKILL does not reach a process that the version-1 freezer holds.
package enum Hierarchy: String, CaseIterable, Sendable {
    /// The one of version 2.
    case unified
    /// Those of version 1, named after their controller.
    case freezer, memory, pids, cpuacct
}
