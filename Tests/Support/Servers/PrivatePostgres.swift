import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL on a Unix socket of its own, which ends with this object. Its superuser is
/// `taskhost`, and nobody needs a password. Under root it runs as nobody, since it refuses root.
package final class PrivatePostgres: Sendable {
    package let folder: Folder
    private let server: Mutex<Program>
    private let databases = Atomic(0)

    /// Debian has the server's programs in a folder of each version.
    private static let programs: String = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return "/usr/lib/postgresql/\(versions.compactMap(Int.init).max() ?? 15)/bin"
    }()

    /// One server for all tests that run at the same time.
    package static func shared() throws -> PrivatePostgres {
        try living.withLock { kept in
            if let server = kept.server { return server }
            let server = try PrivatePostgres()
            kept.server = server
            return server
        }
    }

    private struct Kept {
        weak var server: PrivatePostgres?
    }
    private static let living = Mutex(Kept())

    package init() throws {
        folder = try Folder(mode: 0o777)
        let data = folder.path + "/data"
        let made = try Command.run(
            Self.words[0],
            Array(Self.words.dropFirst()) + [
                Self.programs + "/initdb", "-D", data, "-U", "taskhost", "-A", "trust", "-E", "UTF8", "--no-locale",
                "-N",
            ])
        guard made.status == 0 else { throw Problem("initdb: \(made.output)\(made.errors)") }
        server = Mutex(try Self.start(folder, Self.words))
    }

    private static var words: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : ["env"]
    }

    private static func start(_ folder: Folder, _ words: [String]) throws -> Program {
        let settings = ["listen_addresses=", "fsync=off", "max_connections=200", "shared_buffers=64MB"]
        let program = try Program(
            words[0],
            Array(words.dropFirst()) + [Self.programs + "/postgres", "-D", folder.path + "/data", "-k", folder.path]
                + settings.flatMap { ["-c", $0] }, room: 1 << 20)
        try program.wait(forText: "database system is ready to accept connections")
        return program
    }

    /// kill -9, and a start anew.
    package func restart() throws {
        try server.withLock { server in
            try server.signal(SIGKILL)
            _ = try server.finish()
            // Those of its sessions that are still at work have its memory, and it does not start beside them.
            try Patience.wait(for: "the end of the dead server's processes") {
                do {
                    server = try Self.start(folder, Self.words)
                    return true
                } catch let problem where "\(problem)".contains("shared memory block") {
                    return false
                }
            }
        }
    }

    /// All its processes stand still (SIGSTOP), until `goOn`.
    package func stop() throws { try signal("STOP") }
    package func goOn() throws { try signal("CONT") }

    private func signal(_ name: String) throws {
        // Each of its processes is a session of its own.
        _ = try Command.run("pkill", ["-\(name)", "-P", "\(server.withLock(\.pid))"])
        _ = try Command.run("kill", ["-\(name)", "\(server.withLock(\.pid))"])
    }

    /// The connection string of a new, empty database.
    package func database() throws -> String {
        let name = "fleet\(databases.add(1, ordering: .relaxed).newValue)"
        _ = try query("CREATE DATABASE \(name)", in: connection("postgres"))
        return connection(name)
    }

    package func connection(_ database: String, user: String = "taskhost") -> String {
        "host=\(folder.path) dbname=\(database) user=\(user)"
    }

    /// What psql prints, a row a line, columns with | between them. Fails with the server's words.
    package func query(_ sql: String, in connection: String) throws -> String {
        let command = try Command.run(
            Self.programs + "/psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", connection, "-c", sql])
        guard command.status == 0 else { throw Problem("\(sql): \(command.errors)\(command.output)") }
        return command.output.trimmingCharacters(in: .newlines)
    }
}
