import Foundation
import TestSupport
import Testing

@Suite("A handler that asks for another time")
struct DeferralTests {
    private static let task = Conformance.identifier("p1")

    private struct Requests: Decodable {
        struct Request: Decodable {
            var deferrals: Int
            var attempt: Int
            var failures: Int
            var origin: String
            var notBefore: String?
        }
        var requests: [Request]
    }

    private func pending(_ daemon: Daemon) throws -> [Requests.Request] {
        try daemon.ask(Requests.self, "pending").requests
    }

    @Test("gets it, over the host's death too; no try is used up, and the tenth time in a row waits as a failure does")
    func request() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["defer 3600"]])
        application.setTask("p1", "retry", ["attempts": 2, "backoff": "2h"])
        var daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        let run = try daemon.ends("p1")
        #expect(run.outcome == "deferred" && run.diagnostics == [], "\(run)")
        let first = try #require(try pending(daemon).first)
        #expect(first.deferrals == 1 && first.attempt == 1 && first.failures == 0)

        try daemon.kill()
        daemon = try Daemon(application.station)
        let why = try daemon.why(Self.task)
        #expect(why.holding == ["backoff"])
        #expect(why.summary == "waiting: the time that its handler asked for")
        #expect(
            why.gates.first { $0.gate == "backoff" }?.found.hasPrefix("its handler asked for another time, in ") == true
        )
        #expect(try pending(daemon).map(\.notBefore) == [first.notBefore])
        #expect(try daemon.runs("p1").count == 1)

        for _ in 2...10 {
            let launch = try application.station.start(["simulate", "launch", Self.task]).finish()
            #expect(launch.status == 75, "\(launch.errors)")
        }
        let gate = try #require(try daemon.why(Self.task).gates.first { $0.gate == "backoff" })
        #expect(gate.holds && gate.found.contains("10 times in a row"), "\(gate.found)")
        #expect(gate.found.contains("in 1 h 59 m") || gate.found.contains("in 2 h"), "\(gate.found)")
        let runs = try daemon.runs("p1")
        #expect(runs.count == 10 && runs.allSatisfy { $0.outcome == "deferred" && $0.attempt == 1 })
        #expect(try pending(daemon).map(\.deferrals) == [10])
        #expect(try daemon.stop().status == 0)
    }

    @Test("gets it for a time of its schedule")
    func schedule() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["defer 600"]])
        application.setTask("p1", "schedule", ["every": "1h"])
        let daemon = try application.serve()
        let launch = try application.station.start(["simulate", "launch", Self.task]).finish()
        #expect(launch.status == 75, "\(launch.errors)")
        // Whichever comes first: the time that it asked for, or the schedule's next one.
        let request = try #require(try pending(daemon).first)
        #expect(request.origin == "schedule" && request.attempt == 1)
        #expect(["backoff", "earliestBeginDate"].contains(try daemon.why(Self.task).holding.first ?? ""))
        #expect(try daemon.stop().status == 0)
    }

    @Test("ends a user's run, which is not repeated")
    func direct() throws {
        let daemon = try Conformance(["p1"]).serve()
        #expect(try daemon.work("defer nan", "defer 60") == ["not deferred"])
        #expect(try daemon.ends("work").outcome == "deferred")
        #expect(try pending(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("gets it in C, also from its expiration handler", arguments: ["defer-badly", "defer-when-warned"])
    func fixture(_ name: String) throws {
        let station = try Station()
        var manifest = try ManifestText(fixture: "hostile.\(name)")
        manifest.setTask(manifest.tasks[0], "requires", ["idle": false])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("submit", manifest.tasks[0])
        try daemon.wait(for: "run.ended", manifest.tasks[0])
        #expect(try station.history().map(\.outcome) == ["deferred"])
        #expect(try daemon.why(manifest.tasks[0]).summary == "waiting: the time that its handler asked for")
        #expect(try daemon.stop().status == 0)
    }
}
