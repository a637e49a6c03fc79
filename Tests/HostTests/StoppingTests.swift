import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A host that is asked to stop")
struct StoppingTests {
    @Test("warns what runs, and lets it end", arguments: [SIGTERM, SIGHUP])
    func warns(_ signal: Int32) throws {
        let station = try Station()
        let task = try station.add(ManifestText(stage: "org.taskhost.stop", ["wait": "stage_wait"])).tasks[0]
        let host = try station.start(["run", task])
        try host.wait(forText: "started")
        // The whole group, as a terminal does it: only the host may take it as meant.
        host.signalGroup(signal)
        let command = try host.finish()
        #expect(command.status == 10, "\(command)")
        let run = try #require(try station.history().first)
        #expect(run.outcome == "expired" && run.reason == "hostStopping" && run.expiredAt != nil)
        // TASKHOST_REASON_HOST_STOPPING
        #expect(try station.logs(run).text.contains("warned \(run.run) 8"))
        station.expectNothingLeft()
    }

    @Test("takes Ctrl-C at a verb for a user's cancel, in outcome, reason and exit status")
    func cancels() throws {
        let station = try Station()
        let manifest = try ManifestText(
            stage: "org.taskhost.stop", ["wait": "stage_wait", "spin": "stage_spin"], wallClock: "100s", grace: "300ms")
        let tasks = try station.add(manifest).tasks
        let host = try station.start(["run"] + tasks)
        try host.wait(forText: "started", count: 2)
        host.signalGroup(SIGINT)
        let command = try host.finish()
        #expect(command.status == 16, "\(command)")
        let runs = try station.history()
        #expect(runs.map(\.outcome) == ["cancelled", "cancelled"], "\(runs)")
        #expect(runs.allSatisfy { $0.reason == "userCancelled" && $0.expiredAt != nil }, "\(runs)")
        // TASKHOST_REASON_USER_CANCELLED
        for run in runs { #expect(try station.logs(run).text.contains("warned \(run.run) 7")) }
        station.expectNothingLeft()
    }

    @Test("takes it for that at simulate launch, too")
    func cancelsSimulated() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.stop", ["wait": "stage_wait"])
        manifest.setTask("org.taskhost.stop.wait", "requires", ["idle": false])
        let task = try station.add(manifest).tasks[0]
        let manifests = ["--manifests", station.manifestFolder.path]
        #expect(try station.start(["submit", task] + manifests).finish().succeeded)
        let verb = try station.start(["simulate", "launch", task] + manifests)
        try verb.wait(forText: "started")
        verb.signalGroup(SIGINT)
        let command = try verb.finish()
        #expect(command.status == 16, "\(command)")
        let run = try #require(try station.history().first)
        #expect(run.outcome == "cancelled" && run.reason == "userCancelled", "\(run)")
        station.expectNothingLeft()
    }

    @Test("is the daemon's stop at a daemon, also by Ctrl-C")
    func daemon() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.stop", ["wait": "stage_wait"])
        manifest.setTask("org.taskhost.stop.wait", "requires", ["idle": false])
        let task = try station.add(manifest).tasks[0]
        let daemon = try Daemon(station)
        try daemon.tell("submit", task)
        try daemon.waitForWork(task)
        try daemon.program.signal(SIGINT)
        #expect(try daemon.program.finish().status == 0)
        #expect(try station.history().map(\.reason) == ["hostStopping"])
    }

    @Test("kills what does not heed the warning when its grace has passed")
    func killsAfterGrace() throws {
        let station = try Station()
        let manifest = try ManifestText(
            stage: "org.taskhost.stop", ["spin": "stage_spin"], wallClock: "100s", grace: "300ms")
        let task = try station.add(manifest).tasks[0]
        let host = try station.start(["run", task])
        try host.wait(forText: "started")
        try host.signal(SIGTERM)
        let command = try host.finish()
        #expect(command.status == 16, "\(command)")
        let run = try #require(try station.history().first)
        #expect(run.outcome == "interrupted" && run.reason == "hostStopping", "\(run)")
        #expect(try station.logs(run).text.contains("warned"))
        station.expectNothingLeft()
    }

    @Test("kills at once when asked a second time")
    func killsAtOnce() throws {
        let station = try Station()
        // The grace is longer than the test waits.
        let manifest = try ManifestText(
            stage: "org.taskhost.stop", ["spin": "stage_spin", "tree": "stage_tree", "wait": "stage_wait"],
            wallClock: "200s", grace: "100s")
        let application = try station.add(manifest)
        let host = try station.start(["run", application.identifier])
        try host.wait(forText: "started", count: 3)
        try host.signal(SIGINT)
        // The signals are one if the second comes before the first was read.
        try host.wait(forText: "warned", count: 3)
        try host.signal(SIGINT)
        let command = try host.finish()
        #expect(command.status == 16, "\(command)")
        let runs = try station.history()
        #expect(runs.count == 3)
        for run in runs where !run.identifier.hasSuffix("wait") {
            #expect(run.outcome == "cancelled" && run.reason == "userCancelled", "\(run)")
        }
        station.expectNothingLeft()
    }

    @Test("starts nothing more")
    func startsNothing() throws {
        let station = try Station()
        let manifest = try ManifestText(stage: "org.taskhost.stop", ["a": "stage_wait", "b": "stage_tally"])
        let application = try station.add(manifest)
        let host = try station.start(["run", application.identifier, "--concurrency", "1"])
        try host.wait(forText: "started")
        try host.signal(SIGINT)
        let command = try host.finish()
        #expect(command.status == 16, "\(command)")
        let runs = try station.history()
        #expect(runs.count == 2 && runs.allSatisfy { $0.outcome == "cancelled" }, "\(runs)")
        // A run that was asked for and did not start is on record as well.
        #expect(runs.filter { $0.startedAt != nil }.map(\.identifier) == ["org.taskhost.stop.a"], "\(runs)")
        station.expectNothingLeft()
    }

    #if DEBUG
    @Test("kills a turn's portion at a time, and learns the results in between")
    func killsInPortions() throws {
        let station = try Station()
        let words = ["a", "b", "c"]
        let manifest = try ManifestText(
            stage: "org.taskhost.stop", Dictionary(uniqueKeysWithValues: words.map { ($0, "stage_spin") }),
            wallClock: "200s", grace: "100s")
        let application = try station.add(manifest.with("isolation", "run"))
        // Each kill takes longer than a turn may do what the next can do as well, and than the end of what it kills.
        let host = try station.start(
            ["run", application.identifier, "--concurrency", "\(words.count)"],
            environment: ["TASKHOST_FAILPOINT": "kill.after:1:hold"])
        try host.wait(forText: "started", count: words.count)
        try host.signal(SIGINT)
        try host.wait(forText: "warned", count: words.count)
        try host.signal(SIGINT)
        let command = try host.finish()
        #expect(command.status == 16, "\(command)")
        let runs = try station.history()
        #expect(runs.map(\.outcome) == words.map { _ in "cancelled" }, "\(runs)")
        // Ends that the host learns in one turn have one time.
        #expect(Set(runs.map(\.endedAt)).count == words.count, "\(runs.map(\.endedAt))")
        station.expectNothingLeft()
    }
    #endif
}
