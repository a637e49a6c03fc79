import Foundation
import TestSupport
import Testing

@Suite("An application that fails under a daemon")
struct CrashLoopTests {
    private static let task = Conformance.identifier("p1")

    @Test("again and again is left alone after the third crash, says so, and runs when it is lifted")
    func quarantine() throws {
        var application = try Conformance(["p1", "p2"], steps: ["p1": ["crash"]])
        application.setTask("p1", "retry", ["attempts": 100, "backoff": "1ms"])
        let daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        try daemon.wait(for: "journal", "quarantined")
        let runs = try daemon.runs("p1")
        #expect(runs.map(\.outcome) == ["crashed", "crashed", "crashed"], "\(runs)")
        #expect(runs.map(\.attempt) == [1, 2, 3])
        let why = try daemon.why(Self.task)
        #expect(why.holding.contains("quarantine") && why.summary.contains("quarantine"), "\(why)")
        let gate = try #require(why.gates.first { $0.gate == "quarantine" })
        #expect(gate.next != nil && gate.opens != nil)
        // Of its siblings too, whatever the origin.
        try daemon.tell("submit", Conformance.identifier("p2"))
        #expect(try daemon.why(Conformance.identifier("p2")).holding == ["quarantine"])
        let list = try daemon.tell("list")
        #expect(list.contains("quarantine"), "\(list)")

        try daemon.tell("cancel", Self.task)
        try daemon.tell("app", "unquarantine", Conformance.application)
        #expect(try daemon.ends("p2").outcome == "succeeded")
        let journal = try daemon.tell("journal")
        #expect(journal.contains("quarantined") && journal.contains("quarantineLifted"), "\(journal)")

        try daemon.tell("device", "set", "power=battery")
        let end = try daemon.stop()
        #expect(end.status == 0)
        let life = end.errors.split(separator: "\n").map { $0.dropFirst("taskhost: ".count) }
        let crashes = life.filter { $0.hasPrefix("crashed; \(Self.task), signal ") }
        #expect(crashes.count == 3, "\(end.errors)")
        #expect(zip(runs, crashes).allSatisfy { $1.hasSuffix("see: taskhost show \($0.run)") }, "\(end.errors)")
        let others = [
            "serving \(application.station.state)", "quarantineLifted; \(Conformance.application)",
            "quarantined; \(Conformance.application); it crashed again and again",
            "deviceOverride; power; set to battery", "hostStopped; process ",
        ]
        for line in others {
            #expect(life.count { $0.hasPrefix(line) } == 1, "\(line) in \(end.errors)")
        }
    }

    @Test("is still left alone by the next host")
    func restart() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["crash"]])
        application.setTask("p1", "retry", ["attempts": 100, "backoff": "1ms"])
        let first = try application.serve()
        try first.tell("submit", Self.task)
        try first.wait(for: "journal", "quarantined")
        try first.kill()
        let second = try Daemon(application.station)
        #expect(try second.pendingNames() == ["p1"])
        #expect(try second.why(Self.task).holding.contains("quarantine"))
        #expect(try second.runs("p1").count == 3)
        #expect(try second.stop().status == 0)
    }

    @Test("is tried again after pauses that double, as often as its manifest says, and then forgotten")
    func retry() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["complete false"]])
        application.setTask("p1", "retry", ["attempts": 3, "backoff": "200ms"])
        let daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        _ = try daemon.ends("p1", count: 3)
        let runs = try daemon.runs("p1")
        #expect(runs.map(\.outcome) == ["failed", "failed", "failed"])
        #expect(runs.map(\.attempt) == [1, 2, 3])
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for (pair, pause) in zip(zip(runs, runs.dropFirst()), [0.2, 0.4]) {
            let ended = try style.parse(try #require(pair.0.endedAt))
            #expect(try style.parse(pair.1.submittedAt).timeIntervalSince(ended) >= pause - 0.002)
        }
        #expect(try daemon.pending().isEmpty)
        // The history keeps what the tries waited for.
        let shown = try daemon.tell("show", runs[1].run, "--json")
        #expect(shown.contains("\"gate\":\"backoff\""), "\(shown)")
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "by a signal that asks programs to end is not left alone, and by another is",
        arguments: ["TERM", "PIPE", "SEGV"])
    func asked(_ signal: String) throws {
        let station = try Station()
        let task = { (script: String) -> [String: Any] in
            ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]], "requires": ["idle": false]]
        }
        let attempts = 5
        let retry: [String: Any] = ["retry": ["attempts": attempts, "backoff": "1ms"]]
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.ended",
                "tasks": [
                    "com.example.ended.one": task("kill -\(signal) $$").merging(retry) { $1 },
                    "com.example.ended.two": task("true"),
                ],
            ]))
        let daemon = try Daemon(station)
        try daemon.tell("submit", "com.example.ended.one")
        let isLeftAlone = signal == "SEGV"
        try daemon.waitUntil {
            let runs = try station.history().filter {
                $0.identifier == "com.example.ended.one" && $0.outcome == "crashed"
            }
            return runs.count == (isLeftAlone ? 3 : attempts)
        }
        try daemon.tell("submit", "com.example.ended.two")
        if isLeftAlone {
            #expect(try daemon.why("com.example.ended.two").holding == ["quarantine"])
        } else {
            try daemon.waitUntil {
                try station.history().contains { $0.identifier == "com.example.ended.two" && $0.outcome == "succeeded" }
            }
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("keeps its pause and its attempt over the death of the host")
    func retryAfterDeath() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["complete false"]])
        application.setTask("p1", "retry", ["attempts": 3, "backoff": "1h"])
        let first = try application.serve()
        try first.tell("submit", Self.task)
        _ = try first.ends("p1")
        try first.waitUntil { try first.why(Self.task).holding == ["backoff"] }
        try first.kill()
        let second = try Daemon(application.station)
        #expect(try second.pending().map(\.attempt) == [2])
        #expect(try second.tell("pending", "--json").contains("\"failures\":1"))
        #expect(try second.why(Self.task).holding == ["backoff"])
        #expect(try second.stop().status == 0)
    }
}
