package import Foundation

/// A script that a test starts.
package enum WrittenProgram {
    /// Writes a program that may be started at once. A child writes it: what this process has open for writing a fork of another
    /// thread keeps open until it executes, and the kernel executes no file that is (execve(2), ETXTBSY).
    package static func write(_ text: String, at url: URL) throws {
        let source = url.appendingPathExtension("source")
        try Data(text.utf8).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let copied = try Program("install", ["-m", "755", source.path, url.path]).finish()
        guard copied.succeeded else { throw CocoaError(.fileWriteUnknown) }
    }
}
