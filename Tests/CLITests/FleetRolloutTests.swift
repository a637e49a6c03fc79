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
        try rollout(manifest("$MANIFEST/near.sh"), "--percent", "10").expectSentence(
            ["$MANIFEST", "absolute path"], status: 65)
    }

    @Test(
        "gives nobody the rights of root, unless the host's configuration names the application",
        .enabled(if: Places.isRoot, "only a root host has them"))
    func rights() throws {
        let task = #"{"kind": "appRefresh", "handler": {"command": ["/bin/true"]}"#
        for (number, (words, secret)) in [
            (#""user": "root", "confinement": "none""#, ""),
            (#""permissions": {}"#, #", "secrets": {"key": "/etc/shadow"}"#),
        ].enumerated() {
            let path = "state\(number)/fleet-manifests/rolled.json"
            try tools.folder.write(
                path,
                #"{"identifier": "\#(Self.application)", \#(words), "tasks": {"\#(Self.application).t": \#(task)\#(secret)}}}"#
            )
            let place = tools.folder.file(path).path
            let refused = try Tool.run("validate", place)
            #expect(
                refused.status == 65 && (refused.output + refused.errors).contains("rootApplications"),
                "\(refused.output)\(refused.errors)")
            try tools.folder.write("c/root.json", #"{"rootApplications": ["\#(Self.application)"]}"#)
            let taken = try Tool.run("validate", place, "--config", tools.folder.file("c/root.json").path)
            #expect(taken.status == 0, "\(taken.output)\(taken.errors)")
        }
    }

    @Test("of one application that cannot be written does not hold up the others, and is tried again")
    func unwritable() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        // A file of such a name is too long.
        let long = String(repeating: "a", count: 251) + ".b"
        _ = try tools.query("SELECT taskhost.roll_out('\(long)', '{}', 100)")
        let host = try tools.serve("one", takesManifests: true)
        try FileManager.default.createDirectory(
            at: tools.folder.file("s/one/fleet-manifests/stranger"), withIntermediateDirectories: false)
        #expect(try rollout(manifest("exit 0"), "--percent", "100").status == 0)
        try Patience.wait(for: "the other manifest") { try installers() == "one" }
        #expect(try rollout(Self.application, "--withdraw").status == 0)
        try Patience.wait(for: "its removal") { try installers().isEmpty }
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("counts the hosts that are there: one that has left leaves its place to another")
    func gone() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        var hosts = [try tools.serve("one", takesManifests: true), try tools.serve("two", takesManifests: true)]
        try Patience.wait(for: "both hosts") {
            try tools.query("SELECT count(*) FROM taskhost.hosts WHERE status ? 'rollouts'") == "2"
        }
        #expect(try rollout(manifest("exit 0"), "--percent", "50").status == 0)
        try Patience.wait(for: "one of them") { try !installers().isEmpty }
        let first = try installers()
        #expect(["one", "two"].contains(first))
        let leaver = hosts.remove(at: first == "one" ? 0 : 1)
        #expect(leaver.end(SIGTERM) == 0)
        try Patience.wait(for: "the other one") { try installers() == (first == "one" ? "two" : "one") }
        #expect(hosts[0].end(SIGTERM) == 0)
    }
}
