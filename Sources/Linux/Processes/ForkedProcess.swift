import CLinux

/// What fork(2) makes: in the parent a child, in the child itself.
package struct ForkedProcess {
    /// 0: this is the child.
    package let pid: Int32

    /// Forks the calling process, which must have one thread.
    ///
    /// - Parameter group: a folder of cgroup 2 that the child is born in; `EOPNOTSUPP`: it has to be moved there
    ///   afterwards.
    package init(into group: Int32? = nil) throws(SystemError) { pid = try check(clinux_fork(group ?? -1), "fork") }
}
