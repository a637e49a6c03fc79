/// A cgroup hierarchy, by its purpose for the host. They are emptied in this order: those that can thaw come first, because
/// SIGKILL does not reach a process in the version-1 freezer.
package enum Hierarchy: String, CaseIterable, Sendable {
    /// The one of version 2.
    case unified
    /// Those of version 1, named after their controller.
    case freezer, memory, pids, cpuacct
}
