package import Foundation

/// A program that a test makes, and that may be started at once. A child writes it: what this process has open for writing a
/// fork of another thread keeps open until it executes, and the kernel executes no file that is (execve(2), ETXTBSY).
package enum WrittenProgram {
    /// Writes a script.
    package static func write(_ text: String, at url: URL) throws {
        let source = url.appendingPathExtension("source")
        try Data(text.utf8).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        try copy(source.path, to: url)
    }

    /// Copies a program.
    ///
    /// - Parameter mode: its bits, in octal.
    package static func copy(_ source: String, to url: URL, mode: String = "755") throws {
        let copied = try Program("install", ["-m", mode, source, url.path]).finish()
        guard copied.succeeded else { throw CocoaError(.fileWriteUnknown) }
    }
}
