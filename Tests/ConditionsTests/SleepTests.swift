import Conditions
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

/// logind's announcements of sleep, and its locks.
@Suite("The machine's sleep", .serialized)
struct SleepTests {
    private func observed(_ bus: PrivateBus, delays: Bool = true) throws -> Observed {
        var places = MonitorPlaces.nowhere
        places.bus = bus.address
        return try Observed(places) { $0.delaysSleep = delays }
    }

    private func held(_ bus: PrivateBus, _ machine: Observed) throws -> String {
        try machine.loop.run(for: .milliseconds(50))
        return try bus.inhibitors()
    }

    @Test("It waits until work is safe, and the lock is held again afterwards")
    func delay() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let machine = try observed(bus)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld }
        #expect(
            try held(bus, machine).contains("'sleep', 'taskhost', 'Background tasks are brought to a stop', 'delay'"))
        for _ in 0..<2 {
            let before = Clock.moment().instant
            try bus.prepareForSleep(true)
            try machine.wait { $0.isAsleep == .yes }
            // logind's default is 5 s; half a second is kept.
            let wait = machine.monitor.sleepWaitsUntil - before
            #expect(
                wait >= .milliseconds(4500)
                    && machine.monitor.sleepWaitsUntil - Clock.moment().instant <= .milliseconds(4500))
            #expect(try held(bus, machine).contains("delay"))
            machine.monitor.allowSleep()
            #expect(try !held(bus, machine).contains("delay"))
            try bus.prepareForSleep(false)
            try machine.wait { $0.isAsleep == .no }
            try machine.wait { _ in machine.monitor.sleepFinding.isHeld }
            #expect(try held(bus, machine).contains("delay"))
        }
        #expect(
            machine.sources[.sleep]
                == "logind; sleep waits for 5 s (InhibitDelayMaxSec), of which applications get 4.5 s")
    }

    @Test("It needs no permission: the host releases the lock before logind's delay ends", arguments: [700, 2000])
    func overstayed(_ milliseconds: Int) throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.setSleepDelay(milliseconds: milliseconds)
        let machine = try observed(bus)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld && machine.monitor.isSettled }
        let before = Clock.moment().instant
        try bus.prepareForSleep(true)
        try machine.wait { $0.isAsleep == .yes }
        let heard = Clock.moment().instant
        #expect(machine.monitor.sleepWaitsUntil - heard <= .milliseconds(Int64(milliseconds) - 500))
        // A tenth of a second is kept.
        let (release, stay) = (machine.monitor.nextDeadline, TimeSpan.milliseconds(Int64(milliseconds) - 100))
        #expect(release - before >= stay && release - heard <= stay, "\(release - heard)")
        try machine.wait { _ in !machine.monitor.sleepFinding.isHeld }
        #expect(Clock.moment().instant >= release)
        #expect(try !held(bus, machine).contains("delay"))
    }

    @Test("Where logind waits long, applications get five seconds, and nothing is said")
    func patient() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.setSleepDelay(milliseconds: 30_000)
        let machine = try observed(bus)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld && machine.monitor.isSettled }
        #expect(machine.sources[.sleep] == "logind")
        try bus.prepareForSleep(true)
        try machine.wait { $0.isAsleep == .yes }
        let rest = machine.monitor.sleepWaitsUntil - Clock.moment().instant
        #expect(rest > .seconds(4) && rest <= .seconds(5), "\(rest)")
    }

    @Test("A logind that dies before it announces the end of sleep ends it; the next one is asked for a lock again")
    func restart() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let machine = try observed(bus)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld }
        try bus.prepareForSleep(true)
        try machine.wait { $0.isAsleep == .yes }
        try bus.stop(.logind)
        try machine.wait { $0.isAsleep == .no }
        #expect(machine.sources[.sleep]?.hasSuffix("logind does not run") == true)
        try bus.start(.logind)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld }
        #expect(try held(bus, machine).contains("delay"))
    }

    @Test(
        "A refused lock is reported, and sleep does not wait; the host asks for it again after sleep"
    )
    func refused() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        try bus.refuseInhibitors("delay")
        let machine = try observed(bus)
        let refusal = "org.freedesktop.DBus.Error.AccessDenied"
        try machine.wait { _ in machine.monitor.sleepFinding.delayRefusal == refusal }
        try machine.wait { _ in
            machine.sources[.sleep]?.contains("does not let the host delay sleep (\(refusal))") == true
        }
        try bus.prepareForSleep(true)
        try machine.wait { $0.isAsleep == .yes }
        #expect(machine.monitor.sleepWaitsUntil <= Clock.moment().instant)
        try bus.refuseInhibitors("block")
        try bus.prepareForSleep(false)
        try machine.wait { _ in machine.monitor.sleepFinding.isHeld && machine.monitor.sleepFinding.delayRefusal == nil
        }
        machine.monitor.blocksSleep = true
        try machine.wait { _ in machine.monitor.sleepFinding.blockRefusal == refusal }
        try machine.wait { _ in machine.sources[.sleep]?.contains("keep the machine awake (\(refusal))") == true }
    }

    @Test("The machine is kept awake as long as work needs that")
    func block() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let machine = try observed(bus, delays: false)
        try machine.wait { _ in machine.monitor.isSettled }
        #expect(try held(bus, machine) == "0 []\n", "no work needs a lock")
        machine.monitor.blocksSleep = true
        try machine.wait { _ in machine.monitor.sleepFinding.isBlocked }
        #expect(try held(bus, machine).contains("'sleep', 'taskhost', 'Background tasks run', 'block'"))
        #expect(machine.sources[.sleep] == "logind; the machine is kept awake")
        machine.monitor.blocksSleep = false
        #expect(try held(bus, machine) == "0 []\n")
    }

    @Test("Without a bus the machine is awake, and the source says that no notice comes before it sleeps")
    func noBus() throws {
        let machine = try Observed(.nowhere) { $0.delaysSleep = true }
        try machine.wait { _ in machine.monitor.isSettled }
        #expect(machine.conditions.isAsleep == .no)
        #expect(machine.sources[.sleep] == "default; no notice before the machine sleeps: no bus is looked for")
    }
}
