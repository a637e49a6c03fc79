import CLinux
import TaskModel

/// The checksum that a manifest pins a library by, and a transfer its file: SHA-256 by OpenSSL, which uses the processor's
/// instructions for it. Its library is mapped at the first digest: most processes never need one.
package enum FileDigest {
    /// SHA-256 of an open file's whole content, from its start, 32 bytes. The descriptor's offset stays.
    ///
    /// - Throws: `ELIBACC` where the machine lacks OpenSSL.
    package static func sha256(of descriptor: Int32) throws(SystemError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        try unsafe check(clinux_sha256(descriptor, &digest), "read")
        return digest
    }

    /// The same of the file at a path; nil: it cannot be read.
    package static func sha256(ofPath path: String, followsLast: Bool = true) -> [UInt8]? {
        let flags: OpenFlags = followsLast ? .O_NONBLOCK : [.O_NONBLOCK, .O_NOFOLLOW]
        guard let file = try? Descriptor.open(path, flags) else { return nil }
        return try? sha256(of: file.number)
    }

    /// As a manifest spells it: 64 hexadecimal digits.
    package static func text(_ digest: [UInt8]) -> String {
        Hexadecimal.text(digest)
    }
}
