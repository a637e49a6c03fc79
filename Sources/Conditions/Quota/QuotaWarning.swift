/// The kernel's announcement of an exceeded quota: a message of the generic netlink family `VFS_DQUOT`
/// (Documentation/filesystems/quota.rst of the kernel).
package struct QuotaWarning: Equatable, Sendable {
    /// The owner of the quota: the number of a user, a group or a project.
    package var number: UInt64
    /// The file system's number, as `stat` gives it.
    package var device: UInt64

    private static let type: UInt16 = 1  // QUOTA_NL_A_QTYPE
    private static let excess: UInt16 = 2  // QUOTA_NL_A_EXCESS_ID
    private static let warning: UInt16 = 3  // QUOTA_NL_A_WARNING
    private static let major: UInt16 = 4  // QUOTA_NL_A_DEV_MAJOR
    private static let minor: UInt16 = 5  // QUOTA_NL_A_DEV_MINOR
    private static let project: UInt32 = 2  // PRJQUOTA
    /// QUOTA_NL_IHARDWARN, QUOTA_NL_BHARDWARN: no more files, no more blocks.
    private static let refusals: [UInt32] = [1, 4]

    /// The refusals to projects in a datagram; all else is passed over.
    package static func refusedProjects(in bytes: RawSpan) -> [QuotaWarning] {
        var found: [QuotaWarning] = []
        NetlinkMessages.forEach(in: bytes) { header in
            guard header.body.count >= 4 else { return }
            var (type, warning, major, minor): (UInt32?, UInt32?, UInt32?, UInt32?)
            var number: UInt64?
            NetlinkMessages.forEachAttribute(in: bytes, header.body.lowerBound + 4..<header.body.upperBound) {
                attribute, value in
                let word = value.count >= 4 ? bytes.u32(at: value.lowerBound) : nil
                switch attribute {
                case Self.type: type = word
                case Self.warning: warning = word
                case Self.major: major = word
                case Self.minor: minor = word
                case Self.excess where value.count >= 8:
                    number = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: value.lowerBound, as: UInt64.self)
                default: break
                }
            }
            guard type == Self.project, let warning, refusals.contains(warning), let number, let major, let minor
            else { return }
            found.append(QuotaWarning(number: number, device: device(major, minor)))
        }
        return found
    }

    /// As makedev(3) has it.
    private static func device(_ major: UInt32, _ minor: UInt32) -> UInt64 {
        let (major, minor) = (UInt64(major), UInt64(minor))
        return (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
    }

    package init(number: UInt64, device: UInt64) {
        self.number = number
        self.device = device
    }
}
