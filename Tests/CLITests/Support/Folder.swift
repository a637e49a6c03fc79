import Foundation
import TestSupport

/// A temporary folder, removed with its last reference. Others may pass through it, as workers of a host that is root
/// have to.
final class Folder: Sendable {
    let url: URL
    var path: String { url.path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "taskhost-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appending(path: name) }

    @discardableResult
    func write(_ name: String, _ bytes: Data) throws -> URL {
        let url = file(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try bytes.write(to: url)
        try setMode(0o644, of: name)
        return url
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> URL { try write(name, Data(text.utf8)) }

    /// A program that may be started at once.
    func writeProgram(_ name: String, _ text: String) throws { try WrittenProgram.write(text, at: file(name)) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name).path)
    }
}
