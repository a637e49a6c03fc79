import Conditions
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Pressure of the kernel's accounting", .serialized)
struct PressureTests {
    private static let isAccounted = access("/proc/pressure/cpu", R_OK) == 0

    @Test("The average of the last 10 s is read, and nothing else passes for it")
    func text() {
        let real =
            "some avg10=12.28 avg60=25.83 avg300=11.82 total=65033210\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=0\n"
        #expect(PressureText.someAverage(in: real) == 1228)
        #expect(PressureText.someAverage(in: "some avg10=100.00 total=1") == 10_000)
        for broken in [
            "", "full avg10=3.00", "some", "some avg10=", "some avg10=1", "some avg10=1.5", "some avg10=x.yz",
        ] {
            #expect(PressureText.someAverage(in: broken) == nil)
        }
    }

    @Test("Pressure is watched only while work waits, and load is seen then", .enabled(if: isAccounted))
    func load() throws {
        var places = MonitorPlaces.nowhere
        places.pressure = "/proc/pressure"
        let machine = try Observed(places)
        try machine.wait { _ in machine.sources[.cpu] != nil }
        #expect(machine.conditions.cpuPressure == .unknown)
        #expect(machine.sources[.cpu] == "unknown: not watched while no work minds it")
        let idle = machine.loop.openDescriptors
        // Who minds memory alone is not woken for a busy processor.
        machine.monitor.interest.memory = true
        try machine.wait { $0.memoryPressure != .unknown }
        #expect(machine.sources[.cpu] == "unknown: not watched while no work minds it")
        machine.monitor.interest.cpu = true
        try machine.wait { $0.cpuPressure != .unknown }
        #expect(machine.sources[.cpu] == "PSI")
        // Two for each processor: each waits half of its time. They end with the test.
        let spinners = try (0..<2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { _ in
            try Program("timeout", ["30", "sh", "-c", "while :; do :; done"])
        }
        defer { for spinner in spinners { spinner.signalGroup(SIGKILL) } }
        try machine.wait() { $0.cpuPressure == .yes }
        // Interest that goes and comes back at once is no change; interest that stays away is.
        machine.monitor.interest.cpu = false
        try machine.loop.run(for: .milliseconds(50))
        #expect(machine.conditions.cpuPressure != .unknown)
        machine.monitor.interest.cpu = true
        try machine.loop.run(for: .milliseconds(50))
        #expect(machine.conditions.cpuPressure != .unknown)
        machine.monitor.interest = Interest()
        try machine.wait() { $0.cpuPressure == .unknown && $0.memoryPressure == .unknown }
        #expect(machine.loop.openDescriptors == idle)
    }

    @Test(
        "High pressure is looked at again after 10 s, and is nominal when the average is low", .enabled(if: isAccounted)
    )
    func falling() throws {
        // So little waiting that every machine has it, and an average that is never too high.
        let watch = PressureWatch(
            path: "/proc/pressure/cpu", thresholds: .init(stall: 500, calm: 100_01), changed: ChangeFlag())
        let loop = try TestLoop(watch)
        watch.isWanted = true
        #expect(watch.found == .nominal)
        let spinners = try (0..<2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { _ in
            try Program("timeout", ["30", "sh", "-c", "while :; do :; done"])
        }
        try loop.run { watch.found == .high }
        for spinner in spinners { spinner.signalGroup(SIGKILL) }
        #expect(loop.openDescriptors == 0)
        let turns = loop.turns
        try loop.run { watch.found == .nominal }
        #expect(loop.turns - turns == 1)
        #expect(loop.openDescriptors == 1)
    }

    @Test("A trigger that fires for next to nothing is no pressure", .enabled(if: isAccounted))
    func falseAlarm() throws {
        // Nine tenths of the time: an average that no machine has by itself.
        let watch = PressureWatch(
            path: "/proc/pressure/memory", thresholds: .init(stall: 1_800_000, calm: 45_00), changed: ChangeFlag())
        let loop = try TestLoop(watch)
        watch.isWanted = true
        #expect(watch.found == .nominal && loop.openDescriptors == 1)
        let now = ClockReading(instant: Instant(nanoseconds: Clock.sinceBoot()), time: Timestamp(nanoseconds: 0))
        watch.fire(at: now)
        #expect(watch.found == .nominal && loop.openDescriptors == 0)
        #expect(watch.nextDeadline == now.instant + .seconds(2))
        watch.advance(to: ClockReading(instant: watch.nextDeadline, time: now.time))
        #expect(watch.found == .nominal && loop.openDescriptors == 1)
    }

    @Test("A kernel that accounts for nothing leaves pressure unknown")
    func missing() throws {
        let machine = try Observed(.nowhere)
        machine.monitor.interest.memory = true
        try machine.wait { _ in machine.sources[.memory]?.contains("does not account") == true }
        #expect(machine.conditions.memoryPressure == .unknown)
        #expect(machine.monitor.nextDeadline > Instant(nanoseconds: 0))
    }
}
