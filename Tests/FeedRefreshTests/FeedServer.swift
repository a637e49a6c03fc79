import Foundation
import Glibc
import TestSupport

/// A real nginx on a port of the loopback, with a folder of feeds. It stops with this object.
///
/// Its access log is what it prints: a line `STATUS PATH match=… since=… encoding=…` for each request.
final class FeedServer {
    let port: UInt16
    let folder: TestSupport.Folder
    private let program: Program

    /// - Parameter locations: further `location` blocks of its configuration.
    init(locations: String = "") throws {
        folder = try TestSupport.Folder()
        port = try Self.freePort()
        try folder.write("www/ready", "")
        let configuration = try folder.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log stderr notice;
            events { worker_connections 64; }
            http {
                log_format line '$status $uri match=$http_if_none_match since=$http_if_modified_since'
                                ' encoding=$sent_http_content_encoding';
                access_log /dev/stdout line;
                client_body_temp_path \(folder.path)/body;
                proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi;
                uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                types { application/rss+xml rss; application/atom+xml atom; application/rdf+xml rdf; text/html html; }
                gzip on;
                gzip_types *;
                gzip_min_length 0;
                server {
                    listen 127.0.0.1:\(port);
                    root \(folder.path)/www;
                    location / { }
                    \(locations)
                }
            }

            """)
        program = try Program(
            "nginx", ["-p", folder.path, "-c", configuration.path, "-e", "stderr"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], keepsErrorsApart: true)
        // Said once the port is open.
        try program.wait(forText: "event method")
    }

    /// Puts one of the sample feeds into its folder, under another name if need be.
    func add(_ sample: String, as name: String? = nil) throws {
        try folder.write(
            "www/\(name ?? sample)", [UInt8](Data(contentsOf: Places.fixtures.appending(path: "Feeds/\(sample)"))))
    }

    func write(_ name: String, _ text: String) throws { try folder.write("www/\(name)", text) }

    func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Waits until it has answered so, `count` times in all.
    func wait(forAnswer line: String, count: Int = 1) throws { try program.wait(forText: line, count: count) }

    /// Every request up to now.
    var answers: [String] { program.output.split(separator: "\n").map(String.init) }

    /// A port that nobody listens on: one that the kernel gave a moment ago.
    static func freePort() throws -> UInt16 { try SilentServer().port }
}

/// A port that takes connections and never says a word.
final class SilentServer {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard listens else {
            close(descriptor)
            throw Problem("no port: \(String(cString: strerror(errno)))")
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
