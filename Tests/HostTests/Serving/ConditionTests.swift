import Control
import Foundation
import Glibc
import TaskModel
import TestSupport
import Testing

@Suite("A daemon's conditions")
struct ConditionTests {
    private static let task = "org.taskhost.power.wait"

    private func station(_ requires: [String: Any], kind: String = "processing") throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.power", ["wait": "stage_wait"])
        manifest.setTask(Self.task, "requires", requires)
        manifest.setTask(Self.task, "kind", kind)
        try station.add(manifest)
        return station
    }

    @Test("Check 14: a task that needs power waits on battery, expires when unplugged, starts again when plugged in")
    func power() throws {
        let bus = try PrivateBus()
        try bus.start(.upower)
        try bus.setOnBattery(true)
        let daemon = try Daemon(try station(["externalPower": true, "idle": false]), environment: bus.environment)
        try daemon.tell("submit", Self.task)
        try daemon.waitUntil { try daemon.why(Self.task).holding == ["externalPower"] }
        #expect(try daemon.why(Self.task).summary == "waiting: external power")

        try bus.setOnBattery(false)
        try daemon.waitForWork(Self.task)
        try bus.setOnBattery(true)
        try daemon.wait(for: "run.ended", Self.task)
        let run = try #require(try daemon.station.history().first)
        #expect(run.outcome == "expired" && run.reason == "powerLost", "\(run)")
        // From the change of the condition to the warning, by the daemon's own record.
        let lateness = try daemon.lateness(of: "power", "battery", before: run)
        #expect(lateness < 0.1, "\(lateness) s")

        #expect(try daemon.why(Self.task).holding == ["externalPower"])
        try bus.setOnBattery(false)
        try daemon.wait(for: "run.started", Self.task, count: 2)
        #expect(try daemon.stop().status == 0)
    }

    @Test("hold a task while the battery is low or the user saves power, unless it says that any power will do")
    func anyPower() throws {
        for any in [false, true] {
            let daemon = try Daemon(try station(["anyPower": any, "idle": false]))
            try daemon.tell("device", "set", "power=battery", "battery=5", "lowPower=on")
            try daemon.tell("submit", Self.task)
            if any {
                try daemon.waitForWork(Self.task)
            } else {
                #expect(try daemon.why(Self.task).holding == ["batteryLevel", "lowPowerMode"])
            }
            #expect(try daemon.stop().status == 0)
        }
    }

    @Test("come from the files of the machine itself, and each says so")
    func ofThisMachine() throws {
        let station = try station(["idle": false])
        let daemon = try Daemon(station, environment: ["TASKHOST_DEVICE_ROOT": ""])
        #expect(try daemon.source("power") == "sysfs")
        // An idle host does not watch the pressure.
        #expect(try daemon.source("cpu") == "unknown: not watched while no work minds it")
        try daemon.tell("submit", Self.task)
        let isAccounted = access("/proc/pressure/cpu", R_OK) == 0
        try daemon.waitUntil {
            let source = try daemon.source("cpu")
            return isAccounted ? source == "PSI" : source.contains("does not account")
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 25: a processing task expires when the user comes back, a refresh task does not")
    func user() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.setIdle(true)
        let station = try station([:])
        var refresh = try ManifestText(stage: "org.taskhost.refresh", ["wait": "stage_wait"])
        refresh.setTask("org.taskhost.refresh.wait", "kind", "appRefresh")
        try station.add(refresh)
        let daemon = try Daemon(station, environment: bus.environment)
        try daemon.waitUntil { try daemon.condition("user") == "idle" }
        try daemon.tell("submit", Self.task)
        try daemon.tell("submit", "org.taskhost.refresh.wait")
        try daemon.waitForWork(Self.task)
        try daemon.waitForWork("org.taskhost.refresh.wait")
        try bus.setIdle(false)
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try daemon.station.history().first { $0.identifier == Self.task }?.reason == "userActive")
        #expect(daemon.count("run.ended", "org.taskhost.refresh.wait") == 0)
        #expect(try daemon.why(Self.task).holding == ["idle"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 17: a refresh waits while the machine saves power, and runs afterwards")
    func lowPower() throws {
        let daemon = try Daemon(try station([:], kind: "appRefresh"))
        try daemon.tell("device", "set", "lowPower=on")
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["lowPowerMode"])
        try daemon.tell("device", "reset")
        try daemon.wait(for: "run.started", Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A task waits for the free space that it asks for, and starts when there is as much")
    func space() throws {
        let daemon = try Daemon(try station(["disk": "1048576GiB", "idle": false]))
        #expect(try daemon.condition("disk")?.hasSuffix("B") == true, "no file system of this machine is so large")
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["diskSpace"])
        #expect(try daemon.why(Self.task).summary == "waiting: 1048576 GiB of free space on the disk")
        try daemon.tell("device", "set", "disk=1048576GiB")
        try daemon.wait(for: "run.started", Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("set together they are applied together: nothing starts on some of them, and one event reports them all")
    func together() throws {
        let daemon = try Daemon(try station(["externalPower": true, "network": true, "idle": false]))
        try daemon.tell("device", "set", "power=battery", "network=ok")
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["externalPower"])
        try daemon.wait(for: "device", "power")
        let seen = daemon.count("device", "power")
        // In any order: one opens the gate that is closed, the other closes another.
        for words in [["power=external", "network=none"], ["network=ok", "power=battery"]] {
            _ = try daemon.tell(contentsOf: ["device", "set"] + words)
        }
        for words in [["network=none", "power=external"], ["power=battery", "network=ok"]] {
            _ = try daemon.tell(contentsOf: ["device", "set"] + words)
        }
        #expect(try daemon.why(Self.task).holding == ["externalPower"])
        try daemon.wait(for: "device", "power", count: seen + 4)
        #expect(daemon.count("device", "power") == seen + 4 && daemon.count("run.submitted", Self.task) == 0)
        let bad = try daemon.ask(.patch, "/v1/device", body: #"{"power":"external","network":"slow"}"#)
        #expect(bad.status == 400, "\(bad.text)")
        #expect(try daemon.condition("power") == "battery")
        #expect(try daemon.stop().status == 0)
    }

    @Test("set in any combination they are what was set, those and no others, and a bad word sets none")
    func combinations() throws {
        let daemon = try Daemon(try station(["externalPower": true, "idle": false]))
        struct Device: Decodable {
            struct Condition: Decodable {
                var value: String
                var overridden: Bool
            }
            var conditions: [String: Condition]
        }
        func decode(_ reply: Daemon.Reply) throws -> [String: String] {
            let device = try JSONDecoder().decode(Device.self, from: Data(reply.body))
            return device.conditions.filter(\.value.overridden).mapValues(\.value)
        }
        let words: [ConditionName: [String]] = [.battery: ["0", "19", "20", "100", "none"]]
        var random = SeededGenerator(seed: 2_311)
        for round in 0..<60 {
            var wanted: [String: String] = [:]
            // From none to all, in any order.
            for name in ConditionName.ofMachine.shuffled(using: &random).prefix(round % 12) {
                wanted[name.word] = (words[name] ?? name.values).randomElement(using: &random)
            }
            let members = wanted.map { "\"\($0.key)\":\"\($0.value)\"" }
            let bad = try daemon.ask(
                .patch, "/v1/device", body: "{" + (members + [#""thermal" : "steam""#]).joined(separator: ",") + "}")
            #expect(bad.status == 400)
            #expect(try decode(daemon.ask(.get, "/v1/device")).isEmpty)
            let reply = try daemon.ask(.patch, "/v1/device", body: "{" + members.joined(separator: ",") + "}")
            #expect(try decode(reply) == wanted, "\(reply.text)")
            #expect(try decode(daemon.ask(.delete, "/v1/device")).isEmpty)
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("Refresh that is turned off for one application holds its requests, over restarts, until it is turned on")
    func refreshDenied() throws {
        let station = try station([:], kind: "appRefresh")
        let first = try Daemon(station)
        try first.tell("device", "set", "lowPower=on")
        try first.tell("submit", Self.task)
        try first.tell("deny", "org.taskhost.power")
        try first.kill()
        let daemon = try Daemon(station)
        try daemon.tell("device", "reset")
        #expect(try daemon.why(Self.task).holding == ["backgroundRefresh"])
        let refused = try station.start(["submit", Self.task]).finish()
        #expect(refused.errors.contains("background refresh is turned off for this application"), "\(refused)")
        try daemon.tell("allow", "org.taskhost.power")
        try daemon.wait(for: "run.started", Self.task)
        let journal = try daemon.tell("journal")
        #expect(journal.contains("refreshDenied") && journal.contains("refreshAllowed"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 15: a task that needs the network waits for it, one that does not runs without")
    func network() throws {
        let station = try station(["network": true], kind: "appRefresh")
        var other = try ManifestText(stage: "org.taskhost.offline", ["pass": "stage_pass"])
        other.setTask("org.taskhost.offline.pass", "kind", "appRefresh")
        try station.add(other)
        let daemon = try Daemon(station)
        try daemon.tell("device", "set", "network=none")
        try daemon.tell("submit", Self.task)
        try daemon.tell("submit", "org.taskhost.offline.pass")
        try daemon.wait(for: "run.ended", "org.taskhost.offline.pass")
        #expect(try daemon.why(Self.task).holding == ["network"])
        try daemon.tell("device", "set", "network=ok")
        try daemon.wait(for: "run.started", Self.task)
        try daemon.tell("device", "set", "network=none")
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try daemon.station.history().first { $0.identifier == Self.task }?.reason == "networkLost")
        #expect(try daemon.stop().status == 0)
    }

    @Test("A bus that dies and comes back is in the journal")
    func bus() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let daemon = try Daemon(try station([:]), environment: bus.environment)
        try bus.kill()
        try daemon.waitUntil { try daemon.tell("journal").contains("busLost") }
        try bus.start()
        try daemon.waitUntil { try daemon.tell("journal").contains("busFound") }
        #expect(try daemon.stop().status == 0)
    }

    @Test("set by a user hold over restarts, are in the journal, and end with a reset")
    func overrides() throws {
        let station = try station(["externalPower": true, "idle": false])
        let first = try Daemon(station)
        try first.tell("device", "set", "power=battery", "battery=40")
        try first.kill()
        let second = try Daemon(station)
        #expect(try second.condition("power") == "battery")
        #expect(try second.condition("battery") == "40")
        let refused = try station.start(["device", "set", "power=solar"]).finish()
        #expect(refused.status == 64 && refused.errors.contains("external"), "\(refused)")
        try second.tell("device", "reset")
        #expect(try second.condition("battery") == "none")
        let journal = try second.tell("journal")
        #expect(journal.contains("deviceOverride") && journal.contains("deviceReset"))
        #expect(try second.stop().status == 0)
    }

    @Test("Check 16: an application that was quit runs again only when a user has opened it")
    func forceQuit() throws {
        let daemon = try Daemon(try station(["idle": false]))
        try daemon.tell("quit", "org.taskhost.power")
        try daemon.tell("submit", Self.task)
        #expect(try daemon.why(Self.task).holding == ["forceQuit"])
        try daemon.tell("foreground", "org.taskhost.power")
        try daemon.wait(for: "run.started", Self.task)
        try daemon.tell("background", "org.taskhost.power")
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 6: while background refresh is off, for the machine or the application, a refresh is refused with code 1"
    )
    func refreshOff() throws {
        let daemon = try Daemon(try station([:], kind: "appRefresh"))
        for (off, on) in [
            (["device", "set", "refresh=off"], ["device", "reset"]),
            (["deny", "org.taskhost.power"], ["allow", "org.taskhost.power"]),
        ] {
            #expect(try daemon.station.start(off).finish().succeeded)
            let refused = try daemon.station.start(["submit", Self.task]).finish()
            #expect(refused.status == 17 && refused.errors.contains("background refresh"), "\(refused)")
            #expect(try daemon.station.start(on).finish().succeeded)
        }
        try daemon.tell("submit", Self.task)
        try daemon.wait(for: "run.started", Self.task)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 27: a simulated launch ignores date and power, but needs a request; a simulated expiration warns")
    func simulation() throws {
        let daemon = try Daemon(try station(["externalPower": true, "idle": false]))
        let nothing = try daemon.station.start(["simulate", "launch", Self.task]).finish()
        #expect(nothing.status == 64)
        #expect(nothing.errors.contains("no task request with identifier \(Self.task) has been scheduled"))
        #expect(
            try daemon.tell("journal").contains("No task request with identifier \(Self.task) has been scheduled"))
        #expect(try daemon.station.history().isEmpty)
        try daemon.tell("device", "set", "power=battery")
        try daemon.tell("submit", Self.task, "--earliest", "+2h")
        try daemon.tell("simulate", "launch", Self.task, "--no-wait")
        try daemon.waitForWork(Self.task)
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        let run = try #require(try daemon.station.history().first)
        #expect(run.outcome == "expired" && run.reason == "simulated")
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }
}
