import Foundation
import TestSupport
import Testing

@Suite("Conformance: execution and expiration")
struct ConformanceExecutionTests {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private func time(_ text: String?) throws -> Date { try Self.style.parse(try #require(text)) }

    /// The warning comes soon, and the end long after it.
    private static func budget(_ wallClock: String, grace: String = "9700ms") -> [String: String] {
        ["wallClock": wallClock, "grace": grace]
    }

    @Test("Check 18: handler and expiration handler see the key of the queue that was registered")
    func queue() throws {
        let daemon = try Conformance(["r1"], steps: ["r1": ["expires complete", "queue"]]).serve()
        try daemon.work("submit r1", "complete")
        try daemon.waitForWork("com.ex.app.r1")
        try daemon.tell("simulate", "expiration", "com.ex.app.r1")
        let run = try daemon.ends("r1")
        #expect(
            try daemon.station.lines(run) == [
                "queue Q main false", "expiration queue Q cleared true reason simulated",
            ])
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 19: without a queue handlers run off the main thread, and two runs of one identifier never overlap")
    func noQueue() throws {
        let application = try Conformance(["p1"], steps: ["p1": ["expires complete", "queue"]])
        // The second run follows the first at once.
        try application.station.configure("scheduling", ["pace": "0s"])
        let daemon = try application.serve()
        try daemon.work("submit p1", "complete")
        try daemon.waitForWork("com.ex.app.p1")
        try daemon.work("submit p1", "complete")
        #expect(try daemon.why("com.ex.app.p1").holding == ["overlap"])
        try daemon.tell("simulate", "expiration", "com.ex.app.p1")
        // Its line, that of its warning, and that of the next one.
        try daemon.waitForWork("com.ex.app.p1", count: 3)
        try daemon.tell("simulate", "expiration", "com.ex.app.p1")
        _ = try daemon.ends("p1", count: 2)
        let runs = try daemon.runs("p1")
        for run in runs { #expect(try daemon.station.lines(run).first == "queue none main false") }
        #expect(try time(runs[0].endedAt) <= time(runs[1].startedAt))
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 20: a refresh and a processing task of one launch run at once, with one deadline while both run")
    func oneLaunch() throws {
        let steps = ["process", "remaining", "expires complete", "queue"]
        let application = try Conformance(["r1", "p1"], steps: ["r1": steps, "p1": steps])
        let daemon = try application.serve()
        try daemon.tell("device", "set", "lowPower=on")
        try daemon.work("submit r1", "submit p1", "complete")
        #expect(try daemon.pendingNames() == ["r1", "p1"])
        try daemon.tell("device", "reset")
        for name in ["r1", "p1"] {
            try daemon.waitForWork("com.ex.app.\(name)", count: 3)
            try daemon.tell("simulate", "expiration", "com.ex.app.\(name)")
        }
        let (refresh, processing) = (try daemon.ends("r1"), try daemon.ends("p1"))
        let lines = [try daemon.station.lines(refresh), try daemon.station.lines(processing)]
        #expect(lines[0].first == lines[1].first, "one process")
        for line in lines { #expect(line.dropFirst().first == "remaining short", "\(line)") }
        #expect(try time(processing.startedAt) < time(refresh.endedAt))
        #expect(refresh.diagnostics == [], "\(refresh)")
        #expect(
            processing.diagnostics.count == 1 && processing.diagnostics[0].contains("com.ex.app.r1 (\(refresh.run))"),
            "\(processing)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 20: a budget that the manifest declares is no business of the task beside it")
    func ownDeadline() throws {
        var application = try Conformance(
            ["r1", "p1"], steps: ["r1": ["expires complete"], "p1": ["remaining", "expires complete", "queue"]])
        application.setTask("r1", "budget", Self.budget("10s", grace: "9300ms"))
        application.setTask("p1", "budget", Self.budget("5m", grace: "5s"))
        let daemon = try application.serve()
        try daemon.tell("device", "set", "lowPower=on")
        try daemon.work("submit r1", "submit p1", "complete")
        try daemon.tell("device", "reset")
        let refresh = try daemon.ends("r1")
        #expect(refresh.outcome == "expired" && refresh.reason == "budget", "\(refresh)")
        try daemon.waitForWork("com.ex.app.p1", count: 2)
        #expect(daemon.count("run.expired", "com.ex.app.p1") == 0)
        try daemon.tell("simulate", "expiration", "com.ex.app.p1")
        let processing = try daemon.ends("p1")
        #expect(processing.reason == "simulated" && processing.diagnostics == [], "\(processing)")
        #expect(try daemon.station.lines(processing).first == "remaining long")
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 21: a handler that never completes is warned exactly once, before the end, and its handler is cleared")
    func toldOnce() throws {
        var application = try Conformance(["r1"], steps: ["r1": ["expires complete"]])
        application.setTask("r1", "budget", Self.budget("10s"))
        let daemon = try application.serve()
        try daemon.work("submit r1", "complete")
        let run = try daemon.ends("r1")
        #expect(run.outcome == "expired" && run.reason == "budget", "\(run)")
        #expect(try daemon.station.lines(run) == ["expiration queue Q cleared true reason budget"])
        #expect(try time(run.expiredAt) <= time(run.endedAt))
        #expect(daemon.count("run.expired", "com.ex.app.r1") == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 22: without an expiration handler the run is completed as failed, and its process lives on")
    func noHandler() throws {
        var application = try Conformance(["p1"], steps: ["p1": ["process"]])
        application.setTask("p1", "budget", Self.budget("10s"))
        let daemon = try application.serve()
        try daemon.work("submit p1", "complete")
        let run = try daemon.ends("p1")
        #expect(run.outcome == "failed" && run.reason == "budget" && run.signal == nil, "\(run)")
        #expect(try daemon.work("process", "complete") == daemon.station.lines(run))
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 23: completing within the grace saves the process; doing nothing has it killed")
    func grace() throws {
        var application = try Conformance(
            ["p1", "p2"], steps: ["p1": ["process", "expires complete"], "p2": ["process", "expires"]])
        application.setTask("p1", "budget", Self.budget("10s"))
        application.setTask("p2", "budget", Self.budget("1s", grace: "700ms"))
        let daemon = try application.serve()
        try daemon.work("submit p1", "complete")
        let good = try daemon.ends("p1")
        #expect(good.outcome == "expired" && good.signal == nil, "\(good)")
        let process = try #require(try daemon.station.lines(good).first)
        #expect(try daemon.work("process", "submit p2", "complete") == [process, "submitted p2"])
        let bad = try daemon.ends("p2")
        #expect(bad.outcome == "overran" && bad.reason == "budget", "\(bad)")
        let events = try #require(try daemon.station.show(bad).events)
        #expect(events.contains { $0.event == "killed" && $0.because == "overran" }, "\(events)")
        #expect(try daemon.station.lines(bad).first == process)
        #expect(try daemon.work("process", "complete") != [process])
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 24: of two completions the first counts, a diagnostic says so, and the expiration handler never runs")
    func twice() throws {
        let daemon = try Conformance(
            ["p1"], steps: ["p1": ["expires complete", "complete", "complete false", "settled"]]
        ).serve()
        try daemon.work("submit p1", "complete")
        let run = try daemon.ends("p1")
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(run.diagnostics.count == 1 && run.diagnostics[0].contains("more than once"), "\(run)")
        #expect(try daemon.station.lines(run).filter { $0.hasPrefix("expiration") } == [])
        let nothing = try daemon.station.start(["simulate", "expiration", "com.ex.app.p1"]).finish()
        #expect(nothing.status == 64, "\(nothing)")
        #expect(try daemon.stop().status == 0)
    }
}
