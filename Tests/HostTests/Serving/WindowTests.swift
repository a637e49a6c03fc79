import Foundation
import TestSupport
import Testing

@Suite("A daemon's windows")
struct WindowTests {
    private static let task = "org.taskhost.window.wait"

    /// A window of every hour that began with the last minute and ends in some seconds.
    private func station(closed: Bool, endingIn seconds: Int) throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.window", ["wait": "stage_wait"])
        manifest.setTask(Self.task, "requires", ["idle": false])
        manifest.setTask(Self.task, "kind", "processing")
        try station.add(manifest)
        let now = Int(Date().timeIntervalSince1970)
        let begin = now / 60 - 1
        try station.configure(
            "windows",
            [
                [
                    "from": "\(begin % 60) * * * *", "for": "\(now + seconds - begin * 60)s", "closed": closed,
                    "timeZone": "UTC",
                ]
            ])
        return station
    }

    @Test("At the edge what runs expires with windowClosed, and its request waits for the next window, as why says")
    func closing() throws {
        let daemon = try Daemon(try station(closed: false, endingIn: 10))
        #expect(try daemon.condition("window") == "open")
        #expect(try daemon.source("window") == "the configuration's windows")
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        let run = try #require(try daemon.station.history().first)
        #expect(run.outcome == "expired" && run.reason == "windowClosed", "\(run)")
        let lateness = try daemon.lateness(of: "window", "closed", before: run)
        #expect(lateness < 0.1, "\(lateness) s")

        let why = try daemon.why(Self.task)
        #expect(why.holding == ["window"] && why.summary == "waiting: the next window")
        let next = try #require(why.gates.first { $0.gate == "window" }?.next)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let wait = try style.parse(next).timeIntervalSinceNow
        #expect(wait > 3000 && wait < 3600, "\(next)")
        // A user opens it.
        try daemon.tell("device", "set", "window=open")
        try daemon.wait(for: "run.started", Self.task, count: 2)
        try daemon.tell("device", "reset")
        try daemon.wait(for: "run.ended", Self.task, count: 2)
        #expect(try daemon.station.history().allSatisfy { $0.reason == "windowClosed" && $0.attempt == 1 })
        #expect(try daemon.stop().status == 0)
    }

    @Test("A closed window lets work run when it has ended, and no sooner")
    func opening() throws {
        let daemon = try Daemon(try station(closed: true, endingIn: 10))
        #expect(try daemon.condition("window") == "closed")
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["window"])
        #expect(daemon.count("run.started", Self.task) == 0)
        try daemon.wait(for: "run.started", Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Asleep, as a user says, nothing is started, also after a restart, until the user says otherwise")
    func asleep() throws {
        let station = try station(closed: true, endingIn: 1)
        let first = try Daemon(station)
        try first.tell("device", "set", "sleep=on", "window=open")
        try first.tell("submit", Self.task)
        #expect(try first.why(Self.task).holding == ["sleep"])
        try first.kill()
        let daemon = try Daemon(station)
        #expect(try daemon.condition("sleep") == "on")
        #expect(try daemon.why(Self.task).holding == ["sleep"])
        #expect(daemon.count("run.started", Self.task) == 0)
        try daemon.tell("device", "set", "sleep=off")
        try daemon.wait(for: "run.started", Self.task)
        #expect(try daemon.stop().status == 0)
    }
}
