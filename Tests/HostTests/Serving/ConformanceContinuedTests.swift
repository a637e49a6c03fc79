import Foundation
import TestSupport
import Testing

@Suite("Conformance: continued processing")
struct ConformanceContinuedTests {
    private static let refused = "BGTaskSchedulerErrorDomain"

    /// An application in the foreground whose jobs do these steps.
    private func serve(
        _ steps: [String: [String]], capacity: Int = 2, stall: String = "30s"
    ) throws -> Daemon {
        var application = try Conformance(["job.*"], steps: steps)
        application.setTask("job.*", "budget", ["stall": stall])
        try application.station.configure("scheduling", ["continued": capacity])
        let daemon = try application.serve()
        try daemon.tell("foreground", Conformance.application)
        return daemon
    }

    private func cancel(_ name: String, of daemon: Daemon) throws -> RunDocument {
        let run = try #require(try daemon.runs(name).first { $0.outcome == nil })
        try daemon.tell("cancel", run.run)
        return try daemon.ends(name)
    }

    @Test("Check 28: with no room .fail throws code 4, and .queue starts in order of submission as room comes")
    func capacity() throws {
        let hold = ["expires complete"]
        let daemon = try serve(["job.1": hold, "job.3": hold, "job.4": hold], capacity: 1)
        let lines = try daemon.work(
            "register job.1", "register job.2", "register job.3", "register job.4", "submit job.1 fail",
            "submit job.2 fail", "submit job.3 title=Third", "submit job.4", "pending", "complete")
        #expect(
            lines.dropFirst(4) == [
                "submitted job.1", "refused job.2 \(Self.refused) 4", "submitted job.3", "submitted job.4",
                "pending job.3@- job.4@-",
            ])
        #expect(try daemon.pendingNames() == ["job.3", "job.4"])
        #expect(try daemon.tell("pending", "--json").contains("\"title\":\"Third\""))
        try daemon.wait(for: "run.started", "com.ex.app.job.1")
        _ = try cancel("job.1", of: daemon)
        try daemon.wait(for: "run.started", "com.ex.app.job.3")
        #expect(try daemon.pendingNames() == ["job.4"])
        _ = try cancel("job.3", of: daemon)
        try daemon.wait(for: "run.started", "com.ex.app.job.4")
        #expect(try daemon.runs("job.2").isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 29: registered after launch and submitted in the foreground it starts at once; from the background it is refused"
    )
    func foreground() throws {
        let daemon = try serve(["job.7": ["progress 2 4", "title Export half", "expires complete"]])
        let lines = try daemon.work(
            "register job.7", "submit job.7 in=3600 title=Export subtitle=Starting", "complete")
        #expect(lines == ["register job.7 true", "submitted job.7"])
        try daemon.wait(for: "run.progress", "half")
        #expect(try daemon.runs("job.7").count == 1)
        // What is shown of it, wherever one looks.
        try daemon.waitUntil { try daemon.tell("top", "--once").contains("50 %  Export: half") }
        #expect(daemon.count("run.progress", "Export") > 0)

        try daemon.tell("background", Conformance.application)
        #expect(
            try daemon.work("register job.8", "submit job.8", "submit job.8 fail", "complete") == [
                "register job.8 true", "refused job.8 \(Self.refused) 3", "refused job.8 \(Self.refused) 4",
            ])
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 30: progress that stalls past the limit expires a run, progress that moves does not")
    func stall() throws {
        let daemon = try serve(["job.1": ["expires complete"], "job.2": ["advance 6 400", "complete"]], stall: "1s")
        try daemon.work("register job.1", "register job.2", "submit job.1", "submit job.2", "complete")
        let still = try daemon.ends("job.1")
        #expect(still.outcome == "expired" && still.reason == "noProgress", "\(still)")
        #expect(try daemon.station.lines(still) == ["expiration queue none cleared true reason noProgress"])
        let moving = try daemon.ends("job.2")
        #expect(moving.outcome == "succeeded", "\(moving)")
        #expect((moving.wallTime ?? 0) > 2)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 31: the user's cancel calls the expiration handler; removal kills queued and running ones; .gpu throws code 3"
    )
    func cancel() throws {
        let hold = ["expires complete"]
        let daemon = try serve(["job.1": hold, "job.2": hold, "job.3": hold], capacity: 1)
        #expect(
            try daemon.work("register job.1", "submit job.1 gpu", "submit job.1", "complete").dropFirst() == [
                "refused job.1 \(Self.refused) 3", "submitted job.1",
            ])
        try daemon.wait(for: "run.started", "com.ex.app.job.1")
        let cancelled = try cancel("job.1", of: daemon)
        #expect(cancelled.outcome == "cancelled" && cancelled.reason == "userCancelled", "\(cancelled)")
        #expect(
            try daemon.station.lines(cancelled) == ["expiration queue none cleared true reason userCancelled"])

        try daemon.work("register job.2", "register job.3", "submit job.2", "submit job.3", "complete")
        try daemon.wait(for: "run.started", "com.ex.app.job.2")
        #expect(try daemon.pendingNames() == ["job.3"])
        try daemon.tell("quit", Conformance.application)
        let killed = try daemon.ends("job.2")
        #expect(killed.reason == "userCancelled" && killed.outcome != "succeeded", "\(killed)")
        #expect(try daemon.station.lines(killed).isEmpty, "it was killed, not asked")
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.runs("job.3").isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("An interrupted one never begins in the background: it waits for a user who opens its application")
    func interrupted() throws {
        let daemon = try serve(["job.1": ["remaining", "expires complete"]])
        try daemon.work("register job.1", "submit job.1", "complete")
        try daemon.waitForWork("com.ex.app.job.1")
        let first = try #require(try daemon.runs("job.1").first)
        #expect(try daemon.station.lines(first) == ["remaining any"], "it has no budget")
        try daemon.kill()

        let second = try Daemon(daemon.station)
        let why = try second.why("com.ex.app.job.1")
        #expect(why.holding == ["foreground"] && why.summary == "waiting: the user opening the application", "\(why)")
        #expect(try second.runs("job.1").map(\.outcome) == ["interrupted"])
        try second.tell("foreground", Conformance.application)
        try second.wait(for: "run.submitted", "com.ex.app.job.1")
        #expect(try second.runs("job.1").last?.attempt == 2)
        #expect(try second.stop().status == 0)
    }

    @Test("run --watch shows a bar")
    func watch() throws {
        let daemon = try serve([:])
        let settings = #"{"steps":{"work":["show 1 4 quarter","complete"]}}"#
        let watched = try daemon.station.start(
            ["run", "com.ex.app.work", "--watch", "--quiet", "--settings", settings], manifests: false
        ).finish()
        #expect(
            watched.status == 0 && watched.errors.contains("[######------------------]   25 %  quarter"), "\(watched)")
        #expect(try daemon.stop().status == 0)
    }
}
