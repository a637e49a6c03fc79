package import TaskModel

/// Distinguishes a file's content at one time from any other file's and from its own at another time, without reading it.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    package var size: UInt64
    /// mtime and ctime in nanoseconds since 1970. The second cannot be set: every write moves it.
    package var modified: Int64
    package var changed: Int64

    /// Of an open file.
    package init(of descriptor: borrowing Descriptor) throws(SystemError) {
        let facts = try FileSystem.facts(of: descriptor)
        device = facts.device
        inode = facts.inode
        size = facts.size
        modified = facts.modified
        changed = facts.changed
    }

    /// Coarser file systems keep seconds, or two: a file that changed so lately can change again under the same identity.
    package static let grain = TimeSpan.seconds(2)

    /// Whether a later change would show: data read from the file now are valid while its identity is the same.
    package func isSettled(at now: Timestamp) -> Bool {
        changed < now.nanoseconds - Self.grain.nanoseconds && modified < now.nanoseconds - Self.grain.nanoseconds
    }
}
