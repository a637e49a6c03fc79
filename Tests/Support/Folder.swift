package import Foundation

/// A temporary folder, removed with its last reference.
package final class Folder: Sendable {
    package let url: URL
    package var path: String { url.path }

    /// - Parameter mode: its access rights; others may pass: workers with other users reach what is in it.
    package init(mode: Int = 0o755) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "taskhost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Its path without links, as the kernel names it.
    package var realPath: String { URL(filePath: path).resolvingSymlinksInPath().path }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let url = file(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }

    /// A program that may be started at once.
    @discardableResult
    package func writeProgram(_ name: String, _ text: String) throws -> URL {
        let url = file(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try WrittenProgram.write(text, at: url)
        return url
    }

    /// The names in it, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
