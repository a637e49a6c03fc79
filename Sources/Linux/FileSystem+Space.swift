import Glibc

extension FileSystem {
    /// The space of a file system.
    package struct Space: Sendable, Equatable {
        /// In bytes, for users that are not root.
        package var free: UInt64
        package var total: UInt64
    }

    /// The space of the file system that contains the path. A network file system may take as long as the network does.
    package static func space(of path: String) throws(SystemError) -> Space {
        var facts = statvfs()
        while unsafe statvfs(path, &facts) != 0 {
            guard errno == EINTR else { throw SystemError("statvfs", code: errno, object: path) }
        }
        return Space(
            free: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue,
            total: UInt64(facts.f_blocks).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }
}
