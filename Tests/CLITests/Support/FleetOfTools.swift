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
    func serve(_ name: String, lease: String = "10s") throws -> BackgroundTool {
        try folder.write(
            "c/\(name).json",
            #"{"fleet": {"database": "\#(database)", "name": "\#(name)", "lease": "\#(lease)", "labels": {"room": "\#(name)"}}}"#
        )
        let host = try BackgroundTool([
            "serve", "--manifests", folder.file("m").path, "--state", folder.file("s/\(name)").path, "--config",
            folder.file("c/\(name).json").path,
        ])
        guard host.waitFor("taskhost: serving ") else { throw Problem("\(name) does not serve; \(host.seen)") }
        return host
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
