import Foundation
import Linux
import TestSupport
import Testing

@Suite("Digests of files")
struct FileDigestTests {
    /// Around a block of the function, and around a portion that is read at once.
    private static let lengths = [0, 1, 55, 56, 63, 64, 65, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 1_000_003]

    @Test("are those of sha256sum, whatever the file's length", arguments: lengths)
    func agreesWithCoreutils(length: Int) throws {
        let folder = try TestSupport.Folder()
        let path = folder.file("content").path
        _ = try Command.run("sh", ["-ec", "yes 'a line' | head -c \(length) >'\(path)'"])
        let file = try Descriptor.open(path, .O_RDONLY)
        let sum = try Command.run("sha256sum", [path]).output.prefix(64)
        #expect(FileDigest.text(try FileDigest.sha256(of: file.number)) == sum)
    }
}
