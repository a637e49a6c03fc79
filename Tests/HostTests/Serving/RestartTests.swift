import Foundation
import TestSupport
import Testing

@Suite("Requests over restarts of the daemon")
struct RestartTests {
    private static let task = Conformance.identifier("p1")

    @Test("keep the pace of a handler that asks for itself again, however often the daemon stops or dies")
    func pace() throws {
        let application = try Conformance(["p1"], steps: ["p1": ["submit p1", "complete"]])
        var daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        _ = try daemon.ends("p1")
        for isKilled in [true, false, true] {
            if isKilled { try daemon.kill() } else { #expect(try daemon.stop().status == 0) }
            daemon = try Daemon(application.station)
            let why = try daemon.why(Self.task)
            #expect(why.holding == ["backoff"], "\(why)")
            #expect(try daemon.runs("p1").count == 1)
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("keep it also when the daemon dies while the handler runs")
    func paceOfInterrupted() throws {
        let application = try Conformance(["p1"], steps: ["p1": ["submit p1", "expires complete", "queue"]])
        var daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task, count: 2)
        try daemon.kill()
        daemon = try Daemon(application.station)
        #expect(try daemon.why(Self.task).holding == ["backoff"])
        #expect(try daemon.runs("p1").count == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("lose no try by it: only what failed counts")
    func tries() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["expires", "queue"]])
        application.setTask("p1", "retry", ["attempts": 2, "backoff": "1ms"])
        application.setTask("p1", "budget", ["wallClock": "60s", "grace": "100ms"])
        var daemon = try application.serve()
        try daemon.tell("submit", Self.task)
        for isKilled in [true, false, true, false] {
            try daemon.waitForWork(Self.task)
            if isKilled { try daemon.kill() } else { #expect(try daemon.stop().status == 0) }
            daemon = try Daemon(application.station)
        }
        for count in 1...2 {
            // It has set its handler, which writes the line between these.
            try daemon.waitForWork(Self.task, count: 2 * count - 1)
            try daemon.tell("simulate", "expiration", Self.task)
            try daemon.wait(for: "run.ended", Self.task, count: count)
        }
        let runs = try daemon.runs("p1")
        #expect(runs.map(\.outcome) == Array(repeating: "interrupted", count: 4) + ["overran", "overran"], "\(runs)")
        #expect(runs.map(\.attempt) == Array(1...6))
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }
}
