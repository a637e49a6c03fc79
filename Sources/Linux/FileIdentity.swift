package import TaskModel

/// What tells a file's content at one moment from any other file's and from its own at another moment, without reading it.
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

    /// Whether a later change would show: what was read of the file now holds as long as its identity does.
    package func isSettled(at now: Timestamp) -> Bool {
        changed < now.nanoseconds - Self.grain.nanoseconds && modified < now.nanoseconds - Self.grain.nanoseconds
    }
}
