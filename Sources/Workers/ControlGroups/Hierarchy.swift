/// A cgroup hierarchy, by what the host wants of it.
package enum Hierarchy: String, CaseIterable, Sendable {
    /// The one of version 2.
    case unified
    /// Those of version 1, named after their controller.
    case memory, pids, freezer, cpuacct
}
