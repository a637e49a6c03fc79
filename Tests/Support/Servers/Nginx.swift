import Foundation

/// A real nginx. It stops with this object; what it serves and keeps is in `folder`.
///
/// Its access log is what it prints: a line for each request once it is answered.
package final class Nginx {
    package let folder: Folder
    /// Those that it listens on, in the order of their places.
    package let ports: [UInt16]
    private let program: Program
    /// Kept bound beside it: no other server gets its ports before it has bound them, or while it lives.
    private let held: [HeldPort]

    /// - Parameters:
    ///   - folder: what it serves is in `www` of it.
    ///   - line: what it prints of a request, in the words of nginx's `log_format`.
    ///   - address: of this machine, where it listens.
    ///   - count: ports that it listens on.
    ///   - http: makes the content of the `http` block, given the folder's path and the places, `ADDRESS:PORT`, each of
    ///     which is one of its `listen` directives.
    package init(
        folder: Folder, line: String, on address: String = "127.0.0.1", ports count: Int = 1,
        http: (_ folder: String, _ places: [String]) -> String
    ) throws {
        // It would take sockets over by its variable NGINX, but not without a master process: it crashes then.
        held = try (0..<count).map { _ in try HeldPort(on: address) }
        self.folder = folder
        ports = held.map(\.number)
        try folder.write("www/ready", "")
        let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n    ")
        let configuration = try folder.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log stderr notice;
            events { worker_connections 1024; }
            http {
                log_format line '\(line)';
                access_log /dev/stdout line;
                \(kept)
            \(http(folder.path, ports.map { "\(address):\($0)" }))
            }

            """)
        program = try Program(
            "nginx", ["-p", folder.path, "-c", configuration.path, "-e", "stderr"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], keepsErrorsApart: true, room: 1 << 20)
        // Said once the ports are open.
        try program.wait(forText: "event method")
    }

    /// Waits until it has answered so, `count` times in all.
    package func wait(forAnswer line: String, count: Int = 1) throws { try program.wait(forText: line, count: count) }

    /// Every request that `wait` has seen up to now.
    package var answers: [String] { program.output.split(separator: "\n").map(String.init) }
}
