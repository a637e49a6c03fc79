import Foundation
import TestSupport
import Testing

@Suite("Conformance: requests")
struct ConformanceRequestTests {
    private static let refused = "BGTaskSchedulerErrorDomain"

    @Test("Check 5: without the background mode a processing request throws code 3 of BGTaskSchedulerErrorDomain")
    func missingMode() throws {
        var application = try Conformance(["p1", "r1"])
        application.set("backgroundModes", ["fetch"])
        let daemon = try application.serve()
        #expect(try daemon.work("submit p1", "complete") == ["refused p1 \(Self.refused) 3"])
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 6: while background refresh is off a refresh request throws code 1")
    func refreshOff() throws {
        let daemon = try Conformance(["r1"]).serve()
        try daemon.tell("device", "set", "refresh=off")
        #expect(try daemon.work("submit r1 in=3600", "complete") == ["refused r1 \(Self.refused) 1"])
        try daemon.tell("device", "reset")
        #expect(try daemon.work("submit r1 in=3600", "complete") == ["submitted r1"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 7: a second refresh throws code 2, and the first stays alone")
    func oneRefresh() throws {
        let daemon = try Conformance(["r1", "r2"]).serve()
        #expect(
            try daemon.work("submit r1 in=3600", "submit r2 in=3600", "pending", "complete") == [
                "submitted r1", "refused r2 \(Self.refused) 2", "pending r1@3600",
            ])
        #expect(try daemon.pendingNames() == ["r1"])
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 8: the eleventh processing request throws code 2; the tenth is replaced, and its new date alone is listed"
    )
    func tenProcessings() throws {
        let names = (1...10).map { "p\($0)" }
        let daemon = try Conformance(names + ["p11"]).serve()
        #expect(try daemon.work("submit p1 in=3600", "complete") == ["submitted p1"])
        for name in names.dropFirst() { try daemon.work("submit \(name) in=3600", "complete") }
        let lines = try daemon.work("submit p11 in=3600", "submit p10 in=7200", "pending", "complete")
        #expect(lines.prefix(2) == ["refused p11 \(Self.refused) 2", "submitted p10"])
        let expected = names.map { $0 == "p10" ? "p10@7200" : "\($0)@3600" }.sorted()
        #expect(lines.last == "pending " + expected.joined(separator: " "))
        #expect(try daemon.pendingNames().sorted() == names.sorted())
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 9: changing what the list of pending requests returned changes none of them")
    func copies() throws {
        let daemon = try Conformance(["p1"]).serve()
        #expect(
            try daemon.work("submit p1 in=3600", "mutate", "pending", "complete")
                == ["submitted p1", "pending p1@3600"])
        #expect(try daemon.pending().first?.earliestBeginDate != nil)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 10: cancelling one, an unknown one, and all")
    func cancel() throws {
        let daemon = try Conformance(["p1", "p2"]).serve()
        #expect(
            try daemon.work(
                "submit p1 in=3600", "submit p2 in=3600", "cancel p1", "pending", "cancel unknown", "pending",
                "cancelAll", "pending", "complete")
                == ["submitted p1", "submitted p2", "pending p2@3600", "pending p2@3600", "pending "])
        #expect(try daemon.run("work").outcome == "succeeded")
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 11: after its process and the host were killed, the application is launched again and runs once")
    func survives() throws {
        let application = try Conformance(["p1"], steps: ["p1": ["process", "complete"]])
        let first = try application.serve()
        try first.tell("device", "set", "power=battery")
        let lines = try first.work("process", "submit p1 power", "complete")
        #expect(lines.last == "submitted p1")
        // Its workers end with it.
        try first.kill()

        let second = try Daemon(application.station)
        #expect(try second.pendingNames() == ["p1"])
        #expect(try second.runs("p1").isEmpty)
        try second.tell("device", "reset")
        let run = try second.ends("p1")
        #expect(run.outcome == "succeeded" && run.attempt == 1, "\(run)")
        #expect(try application.station.lines(run).first != lines.first, "another process")
        #expect(try second.pending().isEmpty)
        #expect(try second.stop().status == 0)
        let third = try Daemon(application.station)
        #expect(try third.pending().isEmpty)
        #expect(try third.runs("p1").count == 1)
        #expect(try third.stop().status == 0)
    }

    @Test("Check 13: no launch before the earliest begin date, and one from then on")
    func earliestBeginDate() throws {
        let daemon = try Conformance(["r1"]).serve()
        try daemon.work("submit r1 in=1", "complete")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let request = try #require(try daemon.pending().first)
        let earliest = try style.parse(try #require(request.earliestBeginDate))
        let run = try daemon.ends("r1")
        // Documents have milliseconds.
        #expect(try style.parse(try #require(run.startedAt)).timeIntervalSince(earliest) >= -0.001)
        #expect(try daemon.stop().status == 0)
    }
}
