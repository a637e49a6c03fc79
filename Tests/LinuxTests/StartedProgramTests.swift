import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A program that a test starts")
struct StartedProgramTests {
    @Test("has none of the descriptors that the test process has open, whatever their flags")
    func descriptors() throws {
        let folder = try Folder()
        // As Foundation opens the files that it writes.
        let file = open(folder.file("written").path, O_WRONLY | O_CREAT, 0o600)
        try #require(file > 2)
        defer { close(file) }
        let command = try Program("sh", ["-c", "ls /proc/$$/fd; :"]).finish()
        #expect(command.output == "0\n1\n2\n", "\(command)")
    }
}
