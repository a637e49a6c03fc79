import Glibc
import Testing

/// A folder of a test's own, removed with its files at the end.
final class TemporaryFolder {
    let path: String

    /// - Parameter isVolatile: in memory where the machine allows it: for many files whose durability is not the question.
    init(isVolatile: Bool = false) throws {
        let parent = isVolatile && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/taskhost-store-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    var database: String { path + "/runs.db" }

    deinit {
        for name in (try? names()) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func names() throws -> [String] {
        let folder = try #require(opendir(path))
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func write(_ bytes: [UInt8], to name: String = "runs.db", at offset: Int = 0) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
    }

    static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        try #require(read(descriptor, &bytes, bytes.count) == bytes.count)
        return bytes
    }

    func status(of name: String) throws -> stat {
        var status = stat()
        try #require(stat("\(path)/\(name)", &status) == 0)
        return status
    }
}
