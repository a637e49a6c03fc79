import CLinux
import Glibc

/// The project quotas of one file system: the files of one number are counted together, and writes beyond the number's limit
/// are refused (EDQUOT; quotactl(2)).
///
/// *Thread*: any.
package struct ProjectQuotas: ~Copyable, Sendable {
    package struct Usage: Sendable, Equatable {
        package var bytes: UInt64
        /// In bytes; 0: none.
        package var limit: UInt64
        package var files: UInt64

        package init(bytes: UInt64, limit: UInt64, files: UInt64) {
            self.bytes = bytes
            self.limit = limit
            self.files = files
        }

        /// The number was never used, or its files were deleted.
        package var isNothing: Bool { self == Usage(bytes: 0, limit: 0, files: 0) }
    }

    /// A file's or a folder's; 0 is none.
    package struct Membership: Sendable, Equatable {
        package var project: UInt32
        /// Files created in the folder inherit it.
        package var isInherited: Bool

        package init(project: UInt32, isInherited: Bool) {
            self.project = project
            self.isInherited = isInherited
        }
    }

    /// The file system's number, as `stat` gives it.
    package let device: UInt64
    private let place: Descriptor

    /// Those of the file system that contains the folder.
    ///
    /// - Throws: also where it has none that are enforced (`ENOSYS`, `ENOTSUP`), and before Linux 5.14.
    package init(of folder: String) throws(SystemError) {
        let place = try Descriptor.open(folder, [.O_RDONLY, .O_DIRECTORY])
        let device = try Self.device(of: place.number)
        guard try check(clinux_projects_are_limited(place.number), "quotactl", folder) == 1 else {
            throw SystemError("quotactl", code: ENOTSUP, object: folder)
        }
        self.place = place
        self.device = device
    }

    /// - Throws: `EPERM` without CAP_SYS_ADMIN in the machine's own user namespace.
    package func usage(of project: UInt32) throws(SystemError) -> Usage {
        var usage = clinux_project_usage_t()
        try unsafe check(clinux_project_usage(place.number, project, &usage), "quotactl", "project \(project)")
        return Usage(bytes: usage.bytes, limit: usage.limit, files: usage.files)
    }

    /// Refuses writes beyond this many bytes, rounded up to KiB, from now on; existing files stay. The next refusal is
    /// announced, even after an earlier one.
    package func limit(_ project: UInt32, to bytes: UInt64) throws(SystemError) {
        try check(clinux_limit_project(place.number, project, bytes), "quotactl", "project \(project)")
    }

    /// - Parameter file: open for reading.
    package static func membership(of file: Int32) throws(SystemError) -> Membership {
        var (project, isInherited): (UInt32, Int32) = (0, 0)
        try unsafe check(clinux_project(file, &project, &isInherited), "ioctl(FS_IOC_FSGETXATTR)")
        return Membership(project: project, isInherited: isInherited != 0)
    }

    /// - Parameter file: open for reading.
    package static func set(_ membership: Membership, of file: Int32) throws(SystemError) {
        try check(
            clinux_set_project(file, membership.project, membership.isInherited ? 1 : 0), "ioctl(FS_IOC_FSSETXATTR)")
    }

    /// The number of the file system that contains an open file.
    package static func device(of file: Int32) throws(SystemError) -> UInt64 {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw SystemError("fstat", code: errno) }
        return UInt64(facts.st_dev)
    }
}
