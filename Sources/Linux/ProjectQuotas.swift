import CLinux
import Glibc

/// The project quotas of one file system: what lies in files of one number is counted together, and refused (EDQUOT) beyond
/// the number's limit (quotactl(2)).
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

        /// Nobody has ever used the number, or what was of it is gone.
        package var isNothing: Bool { self == Usage(bytes: 0, limit: 0, files: 0) }
    }

    /// A file's or a folder's; 0 is none.
    package struct Membership: Sendable, Equatable {
        package var project: UInt32
        /// What is made in the folder belongs to it as well.
        package var isInherited: Bool

        package init(project: UInt32, isInherited: Bool) {
            self.project = project
            self.isInherited = isInherited
        }
    }

    /// The file system's number, as `stat` gives it.
    package let device: UInt64
    private let place: Descriptor

    /// Those of the file system that the folder lies on.
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

    /// Refuses what goes beyond so many bytes, rounded up to KiB, from now on; what is there already stays. The next refusal
    /// is announced, also when one was before.
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

    /// The number of the file system that an open file lies on.
    package static func device(of file: Int32) throws(SystemError) -> UInt64 {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw SystemError("fstat", code: errno) }
        return UInt64(facts.st_dev)
    }
}
