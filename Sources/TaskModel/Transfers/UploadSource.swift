/// By which a change of an upload's file is seen between its attempts.
package struct UploadSource: Sendable, Equatable, BitwiseCopyable {
    /// Bytes.
    package var size: Int64
    /// When its content was written last, in nanoseconds since 1970.
    package var modified: Int64
    package var inode: UInt64

    package init(size: Int64, modified: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.inode = inode
    }
}
