import Foundation
import TestSupport
import Testing

/// What a task is, with all that its manifest leaves out.
@Suite("taskhost describe")
struct DescribeTests {
    struct Answer: Decodable {
        struct Code: Decodable {
            var form: String
            var command: [String]?
        }
        struct Schedule: Decodable {
            var text: String
            var calendar: String?
            var timeZone: String?
            var jitter: Double
            var overlap: String
        }
        struct Budget: Decodable {
            var wallClock: Double
            var memory: Int
            var grace: Double
        }
        struct Retry: Decodable {
            var attempts: Int
            var backoff: Double
        }
        struct Requires: Decodable {
            var network: String?
            var idle: Bool
            var disk: Int?
        }
        struct Permissions: Decodable {
            var read: [String]
            var network: [String]
        }
        struct Gate: Decodable {
            var gate: String
            var holds: Bool
        }
        struct Request: Decodable {
            var origin: String
            var scheduledFor: String?
        }
        struct Run: Decodable { var outcome: String? }
        var identifier: String
        var application: String
        var kind: String
        var handler: Code
        var digest: String?
        var schedule: Schedule?
        var onFailure: String?
        var onOutput: String?
        var budget: Budget
        var declared: [String]
        var secrets: [String]
        var profile: String
        var retry: Retry?
        var requires: Requires
        var permissions: Permissions
        var manifest: String
        var faults: [String]
        var usesEarlierForm: Bool?
        var pending: Request?
        var gates: [Gate]
        var next: String?
        var lastRun: Run?
    }

    private func manifest(_ wallClock: String = "2m") -> ManifestText {
        ManifestText(members: [
            "identifier": "com.example.one", "permissions": ["read": ["/etc/hostname"], "network": ["10.0.0.0/8:443"]],
            "tasks": [
                "com.example.one.tidy": [
                    "kind": "processing", "handler": ["command": ["/bin/sh", "-c", "exit 3"]],
                    "budget": ["wallClock": wallClock], "retry": ["attempts": 3, "backoff": "1h"],
                    "onFailure": "com.example.one.tell", "onOutput": "com.example.one.tell",
                    "schedule": ["calendar": "30 2 * * MON-FRI", "timeZone": "Europe/Berlin", "jitter": "5m"],
                    "requires": ["network": "unmetered", "disk": "1GiB", "idle": false],
                ],
                "com.example.one.tell": ["kind": "processing", "handler": ["command": ["/bin/true"]]],
            ],
        ])
    }

    @Test("has the manifest with its defaults, the request with its gates, and the last run")
    func served() throws {
        let station = try Station()
        try station.add(manifest())
        let daemon = try Daemon(station)
        #expect(try station.start(["run", "tidy"], manifests: false).finish().status == 1)
        let task = try daemon.ask(Answer.self, "describe", "tidy")
        #expect(task.identifier == "com.example.one.tidy" && task.application == "com.example.one")
        #expect(task.kind == "processing" && task.handler.form == "command" && task.usesEarlierForm == false)
        #expect(task.handler.command == ["/bin/sh", "-c", "exit 3"])
        let sum = try Program("sha256sum", ["/bin/sh"]).finish().output.prefix(64)
        #expect(task.digest == String(sum))
        let schedule = try #require(task.schedule)
        #expect(schedule.text == "at 02:30 on Monday to Friday" && schedule.calendar == "30 2 * * MON-FRI")
        #expect(schedule.timeZone == "Europe/Berlin" && schedule.jitter == 300 && schedule.overlap == "queue")
        #expect(task.budget.wallClock == 120 && task.budget.memory == 256 << 20 && task.budget.grace == 5)
        #expect(task.declared == ["wallClock"] && task.profile == "modern")
        #expect(task.retry?.attempts == 3 && task.retry?.backoff == 3600 && task.onFailure == "com.example.one.tell")
        #expect(task.onOutput == "com.example.one.tell")
        #expect(task.requires.network == "unmetered" && task.requires.disk == 1 << 30 && !task.requires.idle)
        #expect(task.permissions.read == ["/etc/hostname"] && task.permissions.network == ["10.0.0.0/8:443"])
        #expect(task.manifest.hasSuffix("/manifests/com.example.one.json") && task.faults.isEmpty)
        #expect(task.pending?.origin == "schedule" && task.pending?.scheduledFor != nil && task.next != nil)
        #expect(task.gates.contains { $0.holds } && task.lastRun?.outcome == "failed")
        let other = try daemon.ask(Answer.self, "describe", "tell")
        #expect(other.schedule == nil && other.retry == nil && other.pending == nil && other.gates.isEmpty)
        #expect(other.requires.idle, "processing waits for an idle machine")
        let text = try daemon.tell("describe", "tidy")
        for words in ["at 02:30 on Monday to Friday", "wallClock 2 m*", "3 tries", "held by", "failed, "] {
            #expect(text.contains(words), "\(words): \(text)")
        }

        // Its last run, beside what it may use.
        let run = try station.start(
            ["run", "tidy", "--payload-text", "abc", "--settings", #"{"a": 1}"#], manifests: false
        ).finish()
        #expect(run.status == 1 && !run.errors.contains("taskhost show"), "\(run)")
        let shown = try daemon.tell("show", "com.example.one.tidy").split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        for line in ["attempt 1", "payload 3 B", #"settings {"a":1}"#] { #expect(shown.contains(line), "\(shown)") }
        for (name, most) in [("wall time ", " of 2 m"), ("peak memory ", " of 256 MiB")] {
            #expect(shown.contains { $0.hasPrefix(name) && $0.hasSuffix(most) }, "\(shown)")
        }
        struct Inputs: Decodable {
            var payload: Int
            var settings: String?
        }
        let inputs = try daemon.ask(Inputs.self, "show", "com.example.one.tidy")
        #expect(inputs.payload == 3 && inputs.settings == #"{"a":1}"#)

        // A manifest that is broken now: the host uses its earlier form, and says so.
        try station.add(manifest("2 m"))
        try daemon.waitUntil { try !daemon.ask(Answer.self, "describe", "tidy").faults.isEmpty }
        let broken = try daemon.ask(Answer.self, "describe", "tidy")
        #expect(broken.budget.wallClock == 120 && broken.usesEarlierForm == true)
        #expect(broken.faults.count == 1 && broken.faults[0].contains("$.tasks"), "\(broken.faults)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("answers without a daemon, and refuses what no manifest has")
    func alone() throws {
        let station = try Station()
        try station.add(manifest())
        let manifests = ["--manifests", station.manifestFolder.path]
        let command = try station.start(["describe", "tidy", "--json"] + manifests).finish()
        #expect(command.succeeded, "\(command)")
        let task = try JSONDecoder().decode(Answer.self, from: Data(command.output.utf8))
        #expect(task.budget.wallClock == 120 && task.lastRun == nil)
        let unknown = try station.start(["describe", "com.example.one.tdiy"] + manifests).finish()
        #expect(unknown.status == 64 && unknown.errors.contains("com.example.one.tidy"), "\(unknown)")
    }
}
