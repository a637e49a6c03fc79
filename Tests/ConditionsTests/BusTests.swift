import Conditions
import Foundation
import Glibc
import TaskModel
import TestSupport
import Testing

/// Against a real bus with mocks of the services; the machine's own files are hidden.
@Suite("Services of the system bus", .serialized)
struct BusTests {
    private func places(_ bus: PrivateBus) -> MonitorPlaces {
        var places = MonitorPlaces.nowhere
        places.bus = bus.address
        return places
    }

    @Test("UPower's power and battery are seen, and win over sysfs")
    func power() throws {
        let bus = try PrivateBus()
        try bus.start(.upower)
        let machine = try Observed(places(bus))
        #expect(!machine.monitor.isSettled)
        try machine.wait { _ in machine.monitor.isSettled }
        #expect(machine.conditions.externalPower == .yes)
        #expect(machine.sources[.power] == "UPower")
        #expect(machine.sources[.user] == "unknown: logind does not run")
        #expect(machine.conditions.batteryLevel == nil)
        try bus.setOnBattery(true)
        try machine.wait { $0.externalPower == .no }
        try bus.setBattery(percent: 37)
        try machine.wait { $0.batteryLevel == 37 }
        #expect(machine.sources[.battery] == "UPower")
    }

    @Test("A service that restarts is asked again; while it is gone, sysfs answers or no source does")
    func ownerRestarts() throws {
        let bus = try PrivateBus()
        try bus.start(.upower)
        try bus.start(.logind)
        let machine = try Observed(places(bus))
        try machine.wait { $0.userActive == .yes && machine.sources[.power] == "UPower" }
        try bus.setOnBattery(true)
        try machine.wait { $0.externalPower == .no }
        try bus.stop(.upower)
        try machine.wait { $0.externalPower == .yes && machine.sources[.power] == "sysfs" }
        try bus.stop(.logind)
        try machine.wait { $0.userActive == .unknown }
        #expect(machine.sources[.user] == "unknown: logind does not run")
        try bus.start(.upower)
        try bus.start(.logind)
        try machine.wait { $0.userActive == .yes && machine.sources[.power] == "UPower" }
    }

    @Test("A user who comes and goes is seen, power profiles and metered networks too")
    func others() throws {
        let bus = try PrivateBus()
        for mock in [PrivateBus.Mock.logind, .networkManager, .powerProfiles] { try bus.start(mock) }
        try Namespace.run(Namespace.network) {
            let machine = try Observed(places(bus))
            try machine.wait { $0.userActive == .yes && $0.lowPowerMode == .no && $0.network == .none }
            try bus.setIdle(true)
            try machine.wait { $0.userActive == .no }
            try bus.setPowerSaver(true)
            try machine.wait { $0.lowPowerMode == .yes }
            #expect(machine.sources[.lowPower] == "power-profiles-daemon")
            for words in [
                "link add ve0 type veth peer name ve1", "addr add 10.99.0.1/24 dev ve0", "link set ve0 up",
                "link set ve1 up", "route add default via 10.99.0.2",
            ] {
                guard try Command.run("ip", words.split(separator: " ").map(String.init)).succeeded else {
                    throw Problem(words)
                }
            }
            try machine.wait { $0.network == .ok }
            // 1: yes, 4: probably not, 3: probably.
            for (metered, network) in [(1, NetworkAccess.constrained), (4, .ok), (3, .constrained)] {
                try bus.setMetered(metered)
                try machine.wait { $0.network == network }
            }
            try bus.set(.networkManager, "Connectivity", "u", "2")
            try machine.wait { $0.network == .none }
            #expect(machine.sources[.network] == "NetworkManager: a captive portal asks for a login")
            try bus.stop(.networkManager)
            try machine.wait { $0.network == .ok }
        }
    }

    @Test("A login and a logout are seen when they are announced, though nothing is said of idleness")
    func sessions() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.setIdle(true)
        let machine = try Observed(places(bus))
        try machine.wait { $0.userActive == .no }
        try bus.logIn(true)
        try machine.wait { $0.userActive == .yes }
        try bus.logIn(false)
        try machine.wait { $0.userActive == .no }
    }

    @Test("Without a bus nothing is known and nothing wakes the loop; when it appears it is asked")
    func noBus() throws {
        let bus = try PrivateBus(isRunning: false)
        let machine = try Observed(places(bus))
        try machine.wait { _ in machine.monitor.isSettled }
        #expect(machine.sources[.user]?.contains("No such file") == true)
        #expect(machine.conditions.userActive == .unknown)
        try machine.loop.run(for: .milliseconds(200))
        let turns = machine.loop.turns
        try machine.loop.run(for: .seconds(3))
        #expect(machine.loop.turns == turns)
        try bus.start()
        try bus.start(.logind)
        try machine.wait { $0.userActive == .yes }
    }

    @Test("A bus that dies is asked again when it is back, every time, and leaves no descriptor behind")
    func busDies() throws {
        let bus = try PrivateBus()
        try bus.start(.upower)
        try bus.start(.logind)
        let machine = try Observed(places(bus))
        try machine.wait { $0.userActive == .yes && machine.sources[.power] == "UPower" }
        let open = machine.loop.openDescriptors
        for _ in 0..<3 {
            try bus.kill()
            try machine.wait { $0.userActive == .unknown && machine.sources[.power] == "sysfs" }
            #expect(machine.sources[.user]?.hasPrefix("unknown: the bus at") == true)
            try machine.loop.run(for: .milliseconds(100))
            try bus.start()
            try bus.start(.upower)
            try bus.start(.logind)
            try machine.wait { $0.userActive == .yes && machine.sources[.power] == "UPower" }
        }
        #expect(machine.loop.openDescriptors == open)
    }

    @Test("A socket without a listener is given up after a few attempts, until it is made again")
    func staleSocket() throws {
        let bus = try PrivateBus()
        try bus.kill()
        let machine = try Observed(places(bus))
        // The pauses between attempts double from 100 ms: five take less than 4 s.
        var last = -1
        while machine.loop.turns != last {
            last = machine.loop.turns
            try machine.loop.run(for: .seconds(4))
        }
        try bus.start()
        try bus.start(.logind)
        try machine.wait { $0.userActive == .yes }
    }

    @Test("A bus that accepts and says nothing is given up after 5 s, and a real one in its place is found")
    func silentBus() throws {
        let bus = try PrivateBus(isRunning: false)
        let listener = try bus.listenSilently()
        let machine = try Observed(places(bus))
        try machine.wait() { _ in machine.sources[.user]?.contains("does not answer") == true }
        #expect(machine.conditions.userActive == .unknown)
        try listener.signal(SIGKILL)
        _ = try listener.finish()
        try bus.removeSocket()
        try bus.start()
        try bus.start(.logind)
        try machine.wait { $0.userActive == .yes }
    }

    @Test("A service that hangs is unknown after 5 s and holds up no other service")
    func hangingService() throws {
        let bus = try PrivateBus()
        try bus.start(.upower)
        try bus.start(.logind)
        try bus.signal(.logind, SIGSTOP)
        let machine = try Observed(places(bus))
        try machine.wait { _ in machine.sources[.power] == "UPower" }
        #expect(machine.conditions.userActive == .unknown)
        // It has been given up, until it is asked again.
        try machine.wait { _ in machine.monitor.isSettled }
        #expect(machine.sources[.user] == "unknown: logind does not answer")
        try bus.signal(.logind, SIGCONT)
        machine.monitor.refresh()
        try machine.wait { $0.userActive == .yes }
    }

    @Test("Signals of others than the owner of the name are not believed")
    func forgery() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let machine = Told()
        let monitor = DeviceMonitor(places: places(bus)) {
            if $0.isAsleep != machine.conditions.isAsleep { machine.sleeps.append($0.isAsleep == .yes) }
            machine.conditions = $0; _ = $1
        }
        let loop = try TestLoop(monitor)
        try loop.run { machine.conditions.userActive == .yes }
        let logind = PrivateBus.Mock.logind
        let sent = try bus.forge(
            toProcess: getpid(), path: logind.path, interface: logind.interface, member: "PrepareForSleep", "b", "true")
        #expect(sent.contains("forged"))
        try bus.forge(
            toProcess: getpid(), path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", "owner", logind.name)
        try loop.run(for: .milliseconds(500))
        #expect(machine.sleeps.isEmpty)
        // The real one still gets through: the forged owner did not replace it.
        try bus.prepareForSleep(true)
        try loop.run { machine.sleeps == [true] }
    }

    private final class Told {
        var conditions = DeviceConditions()
        var sleeps: [Bool] = []
    }
}
