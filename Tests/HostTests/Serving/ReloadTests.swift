import Foundation
import TestSupport
import Testing

@Suite("Manifests that change while a daemon serves")
struct ReloadTests {
    private static let task = "org.taskhost.reload.wait"

    private func manifest(wallClock: String = "60s") throws -> ManifestText {
        var manifest = try ManifestText(stage: "org.taskhost.reload", ["wait": "stage_wait"], wallClock: wallClock)
        manifest.setTask(Self.task, "requires", ["externalPower": true, "idle": false])
        return manifest
    }

    private func path(_ station: Station) -> URL { station.manifestFolder.appending(path: "org.taskhost.reload.json") }

    @Test("bring their tasks, take them away without losing what is pending, and bring them back")
    func comeAndGo() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        let daemon = try Daemon(station)
        try station.add(try manifest())
        try daemon.wait(for: "journal", "org.taskhost.reload")
        try daemon.tell("device", "set", "power=battery")
        try daemon.tell("submit", Self.task)

        try FileManager.default.removeItem(at: path(station))
        try daemon.waitUntil { try daemon.why(Self.task).holding.contains("manifest") }
        try daemon.tell("device", "set", "power=external")
        #expect(try daemon.why(Self.task).holding == ["manifest"])
        #expect(try daemon.pending().map(\.identifier) == [Self.task])

        try station.add(try manifest())
        try daemon.waitForWork(Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("may be none: a host has read them all the same")
    func none() throws {
        let station = try Station()
        try FileManager.default.createDirectory(at: station.manifestFolder, withIntermediateDirectories: true)
        let daemon = try Daemon(station)
        _ = try daemon.tell("reload")
        #expect(try daemon.stop().status == 0)
    }

    @Test("that go away let a run end, and what is pending waits over a restart")
    func goWhileRunning() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        try station.add(try manifest(wallClock: "60s"))
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        try daemon.tell("submit", Self.task)
        try FileManager.default.removeItem(at: path(station))
        try daemon.waitUntil { try daemon.why(Self.task).holding.contains("manifest") }
        #expect(daemon.count("run.ended", Self.task) == 0)
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try daemon.stop().status == 0)

        let next = try Daemon(station)
        #expect(try next.why(Self.task).holding == ["manifest"])
        try station.add(try manifest())
        try next.wait(for: "run.started", Self.task)
        #expect(try next.stop().status == 0)
    }

    /// Two tasks of one application, of which one runs until it is warned.
    private func pair(_ isolation: String, wallClock: String) throws -> ManifestText {
        var manifest = try ManifestText(
            stage: "org.taskhost.reload", ["wait": "stage_wait", "other": "stage_pass"], wallClock: wallClock)
        for task in ["wait", "other"] { manifest.setTask("org.taskhost.reload.\(task)", "requires", ["idle": false]) }
        return manifest.with("isolation", isolation)
    }

    private static let other = "org.taskhost.reload.other"

    /// A daemon whose application has a new form, while a run of the earlier one continues.
    private func renewed(_ station: Station, _ isolation: String) throws -> Daemon {
        try station.add(try pair(isolation, wallClock: "60s"))
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        try station.add(try pair(isolation, wallClock: "50s"))
        try daemon.program.wait(forText: "read the manifests again")
        return daemon
    }

    @Test("make new runs wait, without a place, for the end of those of the earlier revision")
    func revision() throws {
        let station = try Station()
        let daemon = try renewed(station, "zygote")
        try daemon.tell("submit", Self.other)
        let why = try daemon.why(Self.other)
        #expect(why.holding == ["revision"], "\(why)")
        #expect(why.summary == "waiting: the end of the runs of the earlier revision")
        #expect(try daemon.pending().map(\.identifier) == [Self.other])
        #expect(try station.history().map(\.identifier) == [Self.task], "nothing else is launching, or called running")
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.other)
        let runs = try station.history()
        #expect(runs.map(\.identifier) == [Self.task, Self.other] && runs.last?.outcome == "succeeded", "\(runs)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("and runs that were asked for without a request: they are shown as waiting, with the gate")
    func directRuns() throws {
        let station = try Station()
        let daemon = try renewed(station, "zygote")
        let program = try station.start(["run", Self.other, "--json"], manifests: false)
        try daemon.wait(for: "run.submitted", Self.other)
        let run = try #require(try station.history().first { $0.identifier == Self.other })
        #expect(run.gate == "revision" && run.outcome == nil, "\(run)")
        #expect(try station.show(run).gate == "revision")
        for words in [["history"], ["show", run.run], ["top", "--once"], ["list"]] {
            let shown = try daemon.tell(contentsOf: words)
            #expect(shown.contains("waiting: revision") && !shown.contains("launching"), "\(shown)")
        }
        #expect(try daemon.tell("top", "--once").contains("1 running  1 waiting"))
        try daemon.tell("simulate", "expiration", Self.task)
        let ended = try #require(try station.finish(program)[Self.other])
        #expect(ended.outcome == "succeeded" && ended.gate == nil, "\(ended)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("hold up nothing where each run has its own process")
    func isolatedRevision() throws {
        let station = try Station()
        let daemon = try renewed(station, "run")
        try daemon.tell("submit", Self.other)
        try daemon.wait(for: "run.ended", Self.other)
        #expect(daemon.count("run.ended", Self.task) == 0)
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("and are broken leave the form that was good in force")
    func broken() throws {
        let station = try Station()
        try station.add(try manifest())
        let daemon = try Daemon(station)
        try Data("{ \"identifier\": 7".utf8).write(to: path(station))
        try daemon.program.wait(forText: "org.taskhost.reload.json:1:")
        try daemon.waitUntil { try daemon.tell("journal").contains("manifestBroken") }
        let journal = try daemon.tell("journal")
        #expect(journal.contains("org.taskhost.reload.json:1:"), "its fault, with the place: \(journal)")
        #expect(journal.contains("the form that was good last stays in force"), "\(journal)")
        let why = try daemon.why(Self.task)
        #expect(!why.pending && why.summary.contains("org.taskhost.reload.json:1:"), "\(why)")
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("give the next run its new budget")
    func budget() throws {
        let station = try Station()
        try station.add(try manifest(wallClock: "60s"))
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        var changed = try manifest()
        changed.setBudget(of: Self.task, ["wallClock": "10s", "grace": "9900ms"])
        try station.add(changed)
        try daemon.program.wait(forText: "read the manifests again")
        try daemon.tell("submit", Self.task)
        // The old worker keeps the run that it has; the new form gets its own worker.
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task, count: 2)
        let second = try #require(try station.history().last)
        #expect(second.outcome == "expired" && second.reason == "budget", "\(second)")
        #expect(try daemon.stop().status == 0)
    }
}
