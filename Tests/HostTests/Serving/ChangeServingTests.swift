import Control
import Foundation
import JSON
import TestSupport
import Testing

/// What is different since a moment, and what tasks used.
@Suite("A daemon is asked what changed, and who used most")
struct ChangeServingTests {
    private struct Changes: Decodable {
        struct Outcome: Decodable, Equatable {
            var identifier: String
            var before: String?
            var now: String
            var lastLine: String?
        }
        struct Definition: Decodable, Equatable {
            var path: String
            var application: String?
            var change: String
            var keys: [String]
        }
        var outcomes: [Outcome]
        var definitions: [Definition]
    }

    private struct Usage: Decodable {
        struct Task: Decodable {
            var identifier: String
            var runs: Int
            var failures: Int
            var cpuTime: Double
        }
        var tasks: [Task]
    }

    private func manifest(_ name: String, _ script: String, wallClock: String = "1h") -> ManifestText {
        ManifestText(members: [
            "identifier": "com.example.\(name)",
            "tasks": [
                "com.example.\(name).work": [
                    "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                    "budget": ["wallClock": wallClock],
                ]
            ],
        ])
    }

    private func ask<Answer: Decodable>(_ type: Answer.Type, _ daemon: Daemon, _ path: String) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(daemon.ask(.get, path).body))
    }

    @Test("Manifests that were added, changed and removed, also while no host ran, and runs that end otherwise")
    func changes() throws {
        let station = try Station()
        for name in ["one", "two", "three"] { try station.add(manifest(name, "exit 0")) }
        var daemon = try Daemon(station)
        #expect(try station.start(["run", "com.example.one.work"], manifests: false).finish().succeeded)
        #expect(try station.start(["run", "com.example.two.work"], manifests: false).finish().succeeded)
        let moment = try #require(try daemon.ask(.get, "/v1/host").document()["time"]?.string)
        #expect(try ask(Changes.self, daemon, "/v1/changes?since=\(moment)").definitions.isEmpty)

        try station.add(manifest("one", "echo no such table; exit 3", wallClock: "2h"))
        #expect(try station.start(["reload"]).finish().succeeded)
        #expect(try station.start(["run", "com.example.one.work"], manifests: false).finish().status == 1)
        #expect(try station.start(["run", "com.example.two.work"], manifests: false).finish().succeeded)
        #expect(try daemon.stop().status == 0)
        try FileManager.default.removeItem(at: station.manifestFolder.appending(path: "com.example.two.json"))
        try station.add(manifest("four", "exit 0"))
        daemon = try Daemon(station)
        let changes = try ask(Changes.self, daemon, "/v1/changes?since=\(moment)")
        #expect(
            changes.outcomes == [
                .init(identifier: "com.example.one.work", before: "succeeded", now: "failed", lastLine: "no such table")
            ])
        let definitions = changes.definitions.sorted { $0.path < $1.path }
        func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
        #expect(
            definitions.map { name($0.path) } == [
                "com.example.four.json", "com.example.one.json", "com.example.two.json",
            ])
        #expect(definitions.map(\.change) == ["added", "changed", "removed"])
        let task = "tasks.com.example.one.work"
        #expect(definitions[1].keys.sorted() == ["\(task).budget.wallClock", "\(task).handler.command"])
        #expect(definitions.map(\.application) == ["com.example.four", "com.example.one", "com.example.two"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("What tasks used is summed up, most processor time first")
    func usage() throws {
        let station = try Station()
        let burn = "i=0; while test $i -lt 200000; do i=$((i + 1)); done"
        try station.add(manifest("busy", burn))
        try station.add(manifest("idle", "exit 3"))
        let daemon = try Daemon(station)
        for _ in 0..<2 {
            #expect(try station.start(["run", "com.example.busy.work"], manifests: false).finish().succeeded)
        }
        #expect(try station.start(["run", "com.example.idle.work"], manifests: false).finish().status == 1)
        let usage = try ask(Usage.self, daemon, "/v1/usage").tasks
        try #require(usage.map(\.identifier) == ["com.example.busy.work", "com.example.idle.work"])
        #expect(usage.map(\.runs) == [2, 1] && usage.map(\.failures) == [0, 1])
        #expect(usage[0].cpuTime > usage[1].cpuTime)
        #expect(try ask(Usage.self, daemon, "/v1/usage?since=2100-01-01T00:00:00Z").tasks.isEmpty)
        #expect(try daemon.stop().status == 0)
    }
}
