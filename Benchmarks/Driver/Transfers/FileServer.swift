import Foundation

/// An nginx on loopback that serves one large file and many small ones from memory; it stops with this object.
final class FileServer {
    static let largeBytes = 1 << 30
    static let smallBytes = 10 << 10
    static let smallFiles = 1000

    let port: UInt16
    /// In memory; what is fetched to memory goes here as well.
    let folder: String
    private let process: Process
    /// Bound to the port, which nobody else gets; nginx binds it as well (SO_REUSEADDR) and listens.
    private let held: Int32

    init() throws {
        let folder = "/dev/shm/taskhost-bench-\(ProcessInfo.processInfo.processIdentifier)"
        let (held, port) = try Self.bindPort()
        (self.folder, self.port, self.held) = (folder, port, held)
        do {
            try FileManager.default.createDirectory(atPath: "\(folder)/www/small", withIntermediateDirectories: true)
            try Self.write(Self.largeBytes, to: "\(folder)/www/large")
            for number in 0..<Self.smallFiles { try Self.write(Self.smallBytes, to: "\(folder)/www/small/\(number)") }
            let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
            try Data(
                """
                daemon off; worker_processes 1; pid \(folder)/pid; error_log /dev/null;
                events { worker_connections 1024; }
                http {
                    access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000;
                    \(kept.joined(separator: " "))
                    server { listen 127.0.0.1:\(port); root \(folder)/www; }
                }
                """.utf8
            ).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
            // Its workers are another user when root starts it.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            process = try Command(
                path: "/usr/sbin/nginx", arguments: ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "/dev/null"]
            ).start()
        } catch {
            close(held)
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try waitForAnswer()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        close(held)
        try? FileManager.default.removeItem(atPath: folder)
    }

    var large: String { "http://127.0.0.1:\(port)/large" }
    var smallFolder: String { "http://127.0.0.1:\(port)/small" }
    func small(_ number: Int) -> String { "\(smallFolder)/\(number)" }

    private func waitForAnswer() throws {
        for _ in 0..<200 {
            let answer = try Command(
                path: "/usr/bin/curl", arguments: ["--silent", "--fail", "--output", "/dev/null", small(0)]
            ).run()
            if answer.status == 0 { return }
            usleep(50_000)
        }
        throw BenchmarkError.failed("nginx did not answer within ten seconds")
    }

    /// Bytes that do not compress and are not alike.
    private static func write(_ size: Int, to path: String) throws {
        var generator = SystemRandomNumberGenerator()
        let block = Data((0..<min(size, 1 << 20)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError.failed("\(path) cannot be written") }
        for _ in 0..<max(1, size / block.count) { try file.write(contentsOf: block) }
        try file.close()
    }

    private static func bindPort() throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var isShared: Int32 = 1
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size)) == 0
                    && bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else {
            close(socket)
            throw BenchmarkError.failed("no port on loopback is free")
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}
