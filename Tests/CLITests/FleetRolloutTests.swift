import Foundation
import TestSupport
import Testing

/// Manifests that come from the fleet's database.
@Suite("A rollout", .plainBuild)
struct FleetRolloutTests {
    private static let application = "com.example.rolled"

    private let tools: FleetOfTools

    init() throws { tools = try FleetOfTools(PrivatePostgres.shared()) }

    private func manifest(_ script: String) throws -> String {
        let task = #"{"kind": "appRefresh", "handler": {"command": ["/bin/sh", "-c", "\#(script)"]}}"#
        try tools.folder.write(
            "r/rolled.json",
            #"{"identifier": "\#(Self.application)", "tasks": {"\#(Self.application).t": \#(task)}, "permissions": {}}"#
        )
        return tools.folder.file("r/rolled.json").path
    }

    private func rollout(_ words: String...) throws -> Tool {
        try Tool.run(["fleet", "rollout"] + words + ["--database", tools.database])
    }

    private func having() throws -> Int? {
        let rows = try rollout("--json").document["rollouts"] as? [[String: Any]]
        return rows?.first?["having"] as? Int
    }

    /// Names of live hosts that install the application's task.
    private func installers() throws -> String {
        try tools.query(
            "SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM taskhost.hosts WHERE state = 'live'"
                + " AND status->'installs' ? '\(Self.application).t'")
    }

    @Test("goes to some hosts, then to all, back, and away")
    func steps() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        let first = try rollout(manifest("echo first"), "--percent", "1")
        #expect(
            first.status == 0 && first.output.contains("no live host takes manifests"), "\(first.output)\(first.errors)"
        )
        // One percent of one host is that one, and of two it is one of them.
        var hosts = [try tools.serve("one", takesManifests: true)]
        try Patience.wait(for: "the first host") { try having() == 1 && installers() == "one" }
        hosts += try [tools.serve("two", takesManifests: true), tools.serve("three")]
        try Patience.wait(for: "one host of two") {
            let takers = try tools.query("SELECT count(*) FROM taskhost.hosts WHERE status ? 'rollouts'")
            return try takers == "2" && having() == 1 && ["one", "two"].contains(installers())
        }
        _ = try tools.ask("submit", "\(Self.application).t")
        try Patience.wait(for: "its run") {
            try tools.query("SELECT count(*) FROM taskhost.runs WHERE outcome = 'succeeded' AND host <> 'three'") == "1"
        }
        let all = try rollout(Self.application, "--percent", "100")
        #expect(all.output.contains("all 2 hosts"), "\(all.output)\(all.errors)")
        try Patience.wait(for: "both hosts") { try having() == 2 && installers() == "one two" }

        // A second form goes to one, and is taken back: that one has the first form again.
        #expect(try rollout(manifest("echo second"), "--percent", "50").output.contains("1 of 2 hosts"))
        try Patience.wait(for: "the second form") { try having() == 1 }
        #expect(try rollout(Self.application, "--percent", "0").status == 0)
        try Patience.wait(for: "the first form") { try having() == 2 }

        #expect(try rollout(Self.application, "--withdraw").status == 0)
        try Patience.wait(for: "no host") { try installers().isEmpty }
        #expect(try rollout().output.contains("no manifest is rolled out"))
        #expect(hosts.map { $0.end(SIGTERM) } == [0, 0, 0])
    }

    @Test("is what a host has, too, that starts without the database")
    func cutOff() throws {
        let server = try PrivatePostgres()
        let tools = try FleetOfTools(server)
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        let rolled = try Tool.run(
            "fleet", "rollout", manifest("exit 0"), "--percent", "100", "--database", tools.database)
        #expect(rolled.status == 0, "\(rolled.errors)")
        let host = try tools.serve("one", takesManifests: true)
        let state = tools.folder.file("s/one").path
        try Patience.wait(for: "the manifest") {
            try Tool.run("list", "--state", state).output.contains(Self.application)
        }
        #expect(host.end(SIGTERM) == 0)
        try server.stop()
        let later = try tools.serve("one", takesManifests: true)
        #expect(try Tool.run("list", "--state", state).output.contains(Self.application))
        try server.goOn()
        #expect(later.end(SIGTERM) == 0)
    }

    @Test("refuses what is no manifest for every host, and says what to do")
    func refusals() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try rollout("none.json", "--percent", "10").expectSentence(["no such file", "none.json"], status: 1)
        try rollout(manifest("exit 0")).expectSentence(["--percent 10"], status: 64)
        try rollout(manifest("exit 0"), "--percent", "101").expectSentence(["0 to 100"], status: 64)
        try rollout(Self.application, "--percent", "10").expectSentence(["begin with a manifest's file"], status: 1)
        try rollout(Self.application, "--withdraw").expectSentence(["nothing of it is rolled out"], status: 1)
        try tools.folder.write("r/bad.json", #"{"identifier": "com.example.rolled"}"#)
        #expect(try rollout(tools.folder.file("r/bad.json").path, "--percent", "10").status == 65)
        let task = #""com.example.near.t": {"kind": "appRefresh", "handler": {"command": ["./near.sh"]}}"#
        try tools.folder.write(
            "r/near.json", #"{"identifier": "com.example.near", "tasks": {\#(task)}, "permissions": {}}"#)
        try tools.folder.write("r/near.sh", "#!/bin/sh\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: tools.folder.file("r/near.sh").path)
        try rollout(tools.folder.file("r/near.json").path, "--percent", "10").expectSentence(
            ["./near.sh", "absolute path"], status: 65)
    }
}
