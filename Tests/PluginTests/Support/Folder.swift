import Foundation

/// A temporary folder, removed when nobody holds it any more.
final class Folder: Sendable {
    let url: URL
    var path: String { url.path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "taskhost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appending(path: name) }

    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let url = file(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }

    /// The names in it, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
