import Foundation
import TestSupport
import Testing

/// What users ask first, and the names that they type.
@Suite("taskhost status, and short names")
struct StatusTests {
    private func manifest(_ application: String) -> ManifestText {
        ManifestText(members: [
            "identifier": application,
            "tasks": [
                "\(application).tidy": ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", "exit 3"]]],
                "\(application).shared": ["kind": "processing", "handler": ["command": ["/bin/true"]]],
            ],
        ])
    }

    @Test("status shows the host and its failures, and ends with 69 without one")
    func status() throws {
        let station = try Station()
        try station.add(manifest("com.example.one"))
        let none = try station.start(["status"]).finish()
        #expect(none.status == 69 && none.errors.contains("taskhost serve"), "\(none)")
        let quiet = try station.start(["status", "--json"]).finish()
        #expect(quiet.status == 69 && quiet.output.contains("\"serving\":false"), "\(quiet)")
        let daemon = try Daemon(station)
        #expect(try station.start(["run", "tidy"], manifests: false).finish().status == 1)
        let text = try station.start(["status"]).finish()
        #expect(text.succeeded && text.errors.isEmpty, "\(text)")
        let lines = text.output.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("host") && $0.contains("serving, version 1.0.0") }, "\(text)")
        #expect(lines.contains { $0.hasPrefix("failed in 24 h") && $0.hasSuffix(" 1") }, "\(text)")
        struct Answer: Decodable {
            var serving: Bool
            var version: String
            var command: String
            var failedOfLate: Int
            var applications: Int
        }
        let answer = try station.ask(Answer.self, "status")
        #expect(answer.serving && answer.version == answer.command)
        #expect(answer.failedOfLate == 1 && answer.applications == 1)
        try daemon.tell("pause", "tidy")
        let paused = try daemon.tell("status")
        #expect(paused.contains("com.example.one.tidy, until taskhost resume"), "\(paused)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("A task is named by its last part, with and without a daemon, unless two have it")
    func names() throws {
        let station = try Station()
        try station.add(manifest("com.example.one"))
        #expect(try station.run("shared")["com.example.one.shared"]?.outcome == "succeeded")
        try station.add(manifest("com.example.two"))
        let alone = try station.run("shared").command
        #expect(
            alone.status == 64 && alone.errors.contains("com.example.one.shared, com.example.two.shared"), "\(alone)")
        let past = try station.start(["show", "shared"], manifests: false).finish()
        #expect(past.succeeded && past.output.contains("com.example.one.shared"), "\(past)")
        let list = try station.start(["history", "shared"], manifests: false).finish()
        #expect(list.output.contains("com.example.one.shared"), "\(list)")
        #expect(try station.start(["logs", "shared"], manifests: false).finish().succeeded)
        let daemon = try Daemon(station)
        for verb in ["why", "submit", "cancel", "run"] {
            let refused = try station.start([verb, "shared"], manifests: false).finish()
            #expect(refused.status == 64 && refused.errors.contains("several tasks have this name"), "\(refused)")
        }
        try FileManager.default.removeItem(at: station.manifestFolder.appending(path: "com.example.two.json"))
        try daemon.waitUntil { try station.start(["why", "shared"]).finish().succeeded }
        let why = try station.start(["why", "shared", "--json"]).finish()
        #expect(why.output.contains("com.example.one.shared"))
        let unknown = try station.start(["why", "sharde"]).finish()
        #expect(!unknown.succeeded && unknown.errors.contains("sharde"), "\(unknown)")
        #expect(try daemon.stop().status == 0)
    }
}
