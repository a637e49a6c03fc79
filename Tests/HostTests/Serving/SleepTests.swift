import Foundation
import TestSupport
import Testing

@Suite("A daemon and the machine's sleep")
struct SleepTests {
    private static let application = "org.taskhost.sleep"
    private static let task = "org.taskhost.sleep.wait"

    private func station(_ configuration: [String: Any] = [:]) throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: Self.application, ["wait": "stage_wait", "pass": "stage_pass"])
        for name in ["wait", "pass"] {
            manifest.setTask("\(Self.application).\(name)", "requires", ["idle": false])
            manifest.setTask("\(Self.application).\(name)", "kind", "processing")
        }
        try station.add(manifest)
        for (key, value) in configuration { try station.configure(key, value) }
        return station
    }

    @Test("Before it work gets logind's time and is frozen then; after it the run continues, and what waits starts")
    func sleep() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.setSleepDelay(milliseconds: 1500)
        let daemon = try Daemon(try station(), environment: bus.environment)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        #expect(
            try daemon.source("sleep")
                == "logind; sleep waits for 1.5 s (InhibitDelayMaxSec), of which applications get 1 s")
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)

        try bus.prepareForSleep(true)
        try daemon.waitUntil { try !bus.inhibitors().contains("delay") }
        #expect(try daemon.condition("sleep") == "on")
        let other = "\(Self.application).pass"
        try daemon.tell("submit", other)
        #expect(try daemon.why(other).holding == ["sleep"])
        #expect(daemon.count("run.started", other) == 0 && daemon.count("run.ended", Self.task) == 0)

        try bus.prepareForSleep(false)
        try daemon.wait(for: "run.ended", other)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        #expect(daemon.count("run.ended", Self.task) == 0 && daemon.count("run.started", Self.task) == 1)
        #expect(try daemon.stop().status == 0)
        let run = try #require(try daemon.station.history().first { $0.identifier == Self.task })
        #expect(run.attempt == 1 && run.outcome == "expired" && run.reason == "hostStopping", "\(run)")
    }

    @Test("What a user runs meanwhile waits as well, says so, and runs afterwards")
    func person() throws {
        let daemon = try Daemon(try station())
        try daemon.tell("device", "set", "sleep=on")
        let run = try daemon.station.start(["run", "\(Self.application).pass"], manifests: false)
        try run.wait(forText: "waits for the end of sleep; taskhost device set sleep=off")
        #expect(daemon.count("run.started", "\(Self.application).pass") == 0)
        try daemon.tell("device", "set", "sleep=off")
        #expect(try run.finish().succeeded)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A machine that falls asleep after the user has said so is delayed no longer than the host takes to answer")
    func twice() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let daemon = try Daemon(try station(), environment: bus.environment)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        try daemon.tell("device", "set", "sleep=on")
        try bus.prepareForSleep(true)
        try daemon.waitUntil { try !bus.inhibitors().contains("delay") }
        // No word keeps it awake, and its own end of sleep does not end the user's.
        try daemon.tell("device", "set", "sleep=off")
        #expect(try daemon.condition("sleep") == "on")
        try daemon.tell("device", "set", "sleep=on")
        try bus.prepareForSleep(false)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["sleep"])
        try daemon.tell("device", "reset")
        try daemon.waitForWork(Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("With the profile ios6 work in the background keeps the machine awake while it runs")
    func block() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let daemon = try Daemon(try station(["profile": "ios6"]), environment: bus.environment)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        #expect(try !bus.inhibitors().contains("block"))
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        try daemon.waitUntil { try bus.inhibitors().contains("block") }
        #expect(try daemon.source("sleep").contains("the machine is kept awake"))
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        try daemon.waitUntil { try !bus.inhibitors().contains("block") }
        #expect(try daemon.stop().status == 0)
    }

    @Test("Where that is refused, the journal says so once, device too, and sleep suspends runs")
    func refused() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.refuseInhibitors("block")
        try bus.setSleepDelay(milliseconds: 1000)
        let daemon = try Daemon(try station(["profile": "ios6"]), environment: bus.environment)
        try daemon.waitUntil { try bus.inhibitors().contains("delay") }
        for count in 1...2 {
            try daemon.tell("submit", "\(Self.application).pass")
            try daemon.wait(for: "run.ended", "\(Self.application).pass", count: count)
        }
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        try daemon.waitUntil { try daemon.source("sleep").contains("does not let the host keep the machine awake") }
        let lines = try daemon.tell("journal").split(separator: "\n").filter { $0.contains("sleepNotBlocked") }
        #expect(lines.count == 1, "\(lines)")
        try bus.prepareForSleep(true)
        try daemon.waitUntil { try !bus.inhibitors().contains("delay") }
        try bus.prepareForSleep(false)
        #expect(daemon.count("run.ended", Self.task) == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Without a bus device says that no notice before the machine sleeps")
    func noBus() throws {
        let station = try station()
        let daemon = try Daemon(
            station, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(station.folder.file("none/socket").path)"])
        #expect(try daemon.source("sleep").hasPrefix("default; no notice before the machine sleeps: "))
        #expect(try daemon.condition("sleep") == "off")
        #expect(try daemon.stop().status == 0)
    }
}
