import Foundation
import TestSupport

/// A fleet on a database of its own, with hosts and verbs that are programs.
final class FleetOfTools {
    let server: PrivatePostgres
    let database: String
    let folder: CLITests.Folder

    init(_ server: PrivatePostgres) throws {
        self.server = server
        database = try server.database()
        folder = try CLITests.Folder()
    }

    func fleet(_ arguments: String...) throws -> Tool { try Tool.run(["fleet"] + arguments) }

    func ask(_ arguments: String..., database other: String? = nil) throws -> Tool {
        try Tool.run(arguments + ["--fleet", "--database", other ?? database])
    }

    func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

    /// A host that installs the folder's manifests and is in the fleet.
    ///
    /// - Parameter takesManifests: those that are rolled out.
    func serve(_ name: String, lease: String = "10s", takesManifests: Bool = false) throws -> BackgroundTool {
        let own = #""name": "\#(name)", "lease": "\#(lease)", "labels": {"room": "\#(name)"}"#
        try folder.write(
            "c/\(name).json",
            #"{"fleet": {"database": "\#(database)", "manifests": \#(takesManifests), \#(own)}}"#)
        let host = try BackgroundTool([
            "serve", "--manifests", folder.file("m").path, "--state", folder.file("s/\(name)").path, "--config",
            folder.file("c/\(name).json").path,
        ])
        guard host.waitFor("taskhost: serving ") else { throw Problem("\(name) does not serve; \(host.seen)") }
        return host
    }

    /// What a host's control socket answers.
    func get(_ path: String, of name: String) throws -> String {
        let program = try Program(
            "curl", ["-s", "--unix-socket", folder.file("s/\(name)/control.sock").path, "http://localhost\(path)"])
        return try program.finish().output
    }

    func writeTasks(_ count: Int, _ script: String) throws {
        let tasks = (1...count).map { number in
            #""com.example.fleet.t\#(number)": {"kind": "appRefresh", "handler": {"command": ["/bin/sh", "-c", "\#(script)"]}}"#
        }
        try folder.write(
            "m/fleet.json",
            #"{"identifier": "com.example.fleet", "tasks": {\#(tasks.joined(separator: ", "))}, "permissions": {}}"#)
    }
}
