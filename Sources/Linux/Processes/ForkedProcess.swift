import CLinux

/// What fork(2) makes: in the parent a child, in the child itself.
package struct ForkedProcess: ~Copyable {
    /// 0: this is the child.
    package let pid: Int32
    /// nil: in the child, or the kernel gave none.
    package let handle: Descriptor?

    /// Forks the calling process, which must have one thread.
    ///
    /// - Parameter group: a folder of cgroup 2 that the child is born in; `EOPNOTSUPP`: it has to be moved there
    ///   afterwards.
    package init(into group: Int32? = nil) throws(SystemError) {
        var number: Int32 = -1
        pid = try unsafe check(clinux_fork(group ?? -1, &number), "fork")
        handle = number >= 0 ? Descriptor(adopting: number) : nil
    }
}
