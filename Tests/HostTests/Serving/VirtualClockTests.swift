import Control
import Foundation
import JSON
import TestSupport
import Testing

/// `taskhost serve --clock virtual`: the checks of the reference that take minutes, an hour and a week.
@Suite("A virtual clock")
struct VirtualClockTests {
    private func serve(_ application: Conformance) throws -> Daemon {
        try application.station.add(application.manifest)
        return try Daemon(application.station, options: ["--clock", "virtual"])
    }

    @Test(
        "Check 12: what has run and was not submitted again is not launched in a virtual week, in which a schedule is")
    func week() throws {
        var application = try Conformance(["p1", "p2"])
        application.setTask("p2", "schedule", ["every": "1d"])
        let daemon = try serve(application)
        try daemon.work("submit p1", "complete")
        try daemon.tell("simulate", "advance", "7d")
        let runs = try daemon.runs("p1")
        #expect(runs.map(\.outcome) == ["succeeded"], "\(runs)")
        #expect(try !daemon.pendingNames().contains("p1"))
        let days = try daemon.runs("p2")
        #expect((6...8).contains(days.count) && days.allSatisfy { $0.outcome == "succeeded" }, "\(days.count) runs")
        #expect(try daemon.stop().status == 0)
    }

    @Test("A date of an application is its distance from now, on a clock that is ahead of the machine's")
    func dates() throws {
        let daemon = try serve(Conformance(["p1"], steps: ["p1": ["remaining", "complete"]]))
        try daemon.tell("simulate", "advance", "8h")
        #expect(try daemon.work("submit p1 in=3600", "pending", "complete").contains("pending p1@3600"))
        try daemon.tell("simulate", "advance", "59m")
        #expect(try daemon.runs("p1").isEmpty)
        try daemon.tell("simulate", "advance", "2m")
        let run = try daemon.run("p1")
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(try daemon.station.lines(run).first == "remaining long")
        let status = try daemon.tell("status")
        #expect(status.contains("virtual, "), "\(status)")
        #expect(try daemon.stop().status == 0)
    }

    private struct Terminations: Decodable {
        struct Termination: Decodable { var reason: String }
        var terminations: [Termination]
    }

    @Test("Check 26: a minute of work on more than four fifths of a processor ends the process, not on external power")
    func processors() throws {
        let steps = ["burn 16"]
        let daemon = try serve(Conformance(["p1", "p2"], steps: ["p1": steps, "p2": steps]))
        try daemon.tell("device", "set", "power=external")
        try daemon.work("submit p1", "complete")
        try daemon.waitForWork("com.ex.app.p1")
        try daemon.tell("simulate", "advance", "61s")
        let killed = try daemon.ends("p1")
        #expect(killed.outcome == "exceededCPU", "\(killed)")
        let ends = try JSONDecoder().decode(
            Terminations.self, from: Data(daemon.ask(.get, "/v1/terminations").body))
        #expect(ends.terminations.map(\.reason) == ["cpuResourceLimit"])

        try daemon.work("submit p2 power", "complete")
        try daemon.waitForWork("com.ex.app.p2")
        try daemon.tell("simulate", "advance", "2m")
        let spared = try daemon.run("p2")
        #expect(spared.outcome == nil && spared.expiredAt == nil, "\(spared)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 30: continued processing without progress expires; with steady progress it does not for an hour")
    func progress() throws {
        let daemon = try serve(
            Conformance(
                ["job.*"],
                steps: ["job.1": ["progress 1 9", "expires complete", "queue"], "job.2": ["steady 5", "queue"]]))
        try daemon.tell("foreground", Conformance.application)
        try daemon.work("register job.1", "register job.2", "submit job.1", "complete")
        try daemon.waitForWork("com.ex.app.job.1")
        // The progress that it made comes by itself, after what it prints: the last counts from here. The first says none.
        try daemon.wait(for: "run.progress", "com.ex.app.job.1", count: 2)
        try daemon.tell("simulate", "advance", "25s")
        #expect(try daemon.run("job.1").outcome == nil)
        try daemon.tell("simulate", "advance", "10s")
        let stalled = try daemon.ends("job.1")
        #expect(stalled.outcome == "expired" && stalled.reason == "noProgress", "\(stalled)")

        try daemon.work("submit job.2", "complete")
        try daemon.waitForWork("com.ex.app.job.2")
        let began = try daemon.time()
        // Less than half of the limit each time: an event that is on its way counts for the step before.
        while try daemon.time().timeIntervalSince(began) < 3600 {
            // Before the step: its event may be here before its answer, and there is none before the next step.
            let before = daemon.count("run.progress", "com.ex.app.job.2")
            let reply = try daemon.ask(.post, "/v1/simulate/advance", body: #"{"seconds":14}"#)
            #expect(reply.status == 200, "\(reply.text)")
            try daemon.wait(for: "run.progress", "com.ex.app.job.2", count: before + 1)
        }
        let steady = try daemon.run("job.2")
        #expect(steady.outcome == nil && steady.expiredAt == nil, "\(steady)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("has its own record, which hosts with the machine's clock refuse, and it refuses theirs")
    func record() throws {
        let application = try Conformance(["p1"])
        let daemon = try serve(application)
        try daemon.tell("simulate", "advance", "1d")
        try daemon.work("complete")
        #expect(try daemon.tell("journal").contains("--clock virtual"))
        #expect(try daemon.stop().status == 0)
        for words in [["serve"], ["run", "com.ex.app.p1"]] {
            let refused = try application.station.start(words).finish()
            #expect(refused.status == 73, "\(refused)")
            #expect(refused.errors.contains("has the times of a virtual clock"), "\(refused)")
        }
        // Readers take the times as they are, and the clock continues from them.
        let past = try #require(try application.station.history().last)
        let again = try Daemon(application.station, options: ["--clock", "virtual"])
        try again.work("complete")
        let next = try #require(try again.station.history().last)
        #expect(next.submittedAt >= past.submittedAt && next.run != past.run)
        #expect(try again.stop().status == 0)

        let other = try Conformance(["p1"])
        let machine = try other.serve()
        let refused = try machine.station.start(["simulate", "advance", "8h"]).finish()
        #expect(refused.status == 64 && refused.errors.contains("--clock virtual"), "\(refused)")
        #expect(try machine.stop().status == 0)
        let virtual = try other.station.start(["serve", "--clock", "virtual"]).finish()
        #expect(virtual.status == 73 && virtual.errors.contains("has the times of the machine's clock"), "\(virtual)")
    }
}

extension Daemon {
    /// By the daemon's clock.
    fileprivate func time() throws -> Date {
        let text = try ask(.get, "/v1/host").document()["time"]?.string ?? ""
        return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    }
}
