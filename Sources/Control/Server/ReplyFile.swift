package import Linux

/// A file to send as a reply's body. It may have no name any more.
package final class ReplyFile: Sendable {
    let descriptor: Descriptor
    let size: UInt64

    package init(_ descriptor: consuming Descriptor) throws(SystemError) {
        size = try FileSystem.facts(of: descriptor).size
        self.descriptor = descriptor
    }
}
