import Conditions
import TaskModel
import TestSupport
import Testing

@Suite("Thermal zones")
struct ThermalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Temperature, then pairs of trip point and its temperature, for each zone.
        var zones: [(String, [(String, String)])]
        var state: ThermalState?
    }

    private static let laptop = [("critical", "105000"), ("hot", "100000"), ("passive", "95000"), ("active", "60000")]

    static let cases = [
        Case(testDescription: "cool", zones: [("45000", laptop)], state: .nominal),
        Case(testDescription: "the fan runs", zones: [("60000", laptop)], state: .fair),
        Case(
            testDescription: "near the point of slowing down", zones: [("85000", [("passive", "95000")])], state: .fair),
        Case(testDescription: "slowed down", zones: [("95000", laptop)], state: .serious),
        Case(testDescription: "near its end", zones: [("100000", laptop)], state: .critical),
        Case(testDescription: "critical alone", zones: [("70000", [("critical", "105000")])], state: .nominal),
        Case(testDescription: "critical reached", zones: [("101000", [("critical", "105000")])], state: .critical),
        Case(
            testDescription: "the hottest zone counts",
            zones: [("45000", laptop), ("96000", laptop), ("20000", laptop)], state: .serious),
        Case(
            testDescription: "points that are not set", zones: [("45000", [("passive", "0"), ("passive", "-274000")])],
            state: nil),
        Case(testDescription: "no points", zones: [("45000", [])], state: nil),
        Case(testDescription: "a temperature that is none", zones: [("hot", laptop)], state: nil),
        Case(testDescription: "a point of unknown type", zones: [("45000", [("magic", "1000")])], state: nil),
        Case(
            testDescription: "broken points beside good ones",
            zones: [("96000", [("passive", "?"), ("passive", "95000")])], state: .serious),
        Case(testDescription: "no zones", zones: [], state: nil),
    ]

    private func lay(_ row: Case) throws -> Folder {
        let folder = try Folder()
        for (number, zone) in row.zones.enumerated() {
            try folder.write("thermal_zone\(number)/temp", zone.0 + "\n")
            for (index, trip) in zone.1.enumerated() {
                try folder.write("thermal_zone\(number)/trip_point_\(index)_type", trip.0 + "\n")
                try folder.write("thermal_zone\(number)/trip_point_\(index)_temp", trip.1 + "\n")
            }
        }
        try folder.write("cooling_device0/type", "Processor\n")
        return folder
    }

    @Test("Each zone is judged by its own trip points", arguments: cases)
    func states(_ row: Case) throws {
        let folder = try lay(row)
        #expect(ThermalZones.state(reading: folder.path) == row.state)
    }

    @Test("A machine with zones receives the kernel's announcements, and reads the zones when it is asked to")
    func refresh() throws {
        let folder = try lay(Self.cases[0])
        var places = MonitorPlaces.nowhere
        places.thermalZones = folder.path
        let machine = try Observed(places)
        try machine.wait { $0.thermal == .nominal }
        #expect(machine.sources[.thermal] == "thermal zones")
        try folder.write("thermal_zone0/temp", "97000\n")
        machine.monitor.refresh()
        try machine.wait { $0.thermal == .serious }

        let watch = ThermalWatch(folder: folder.path, changed: ChangeFlag())
        let loop = try TestLoop(watch)
        let control = try Command.run("sh", ["-c", "zgrep -q ^CONFIG_THERMAL_NETLINK=y /proc/config.gz"])
        if control.succeeded { try loop.run { watch.isAnnounced } }
    }

    @Test("A zone that comes later is seen when the kernel announces it, and its announcements count from then on")
    func appears() throws {
        let folder = try Folder()
        let changed = ChangeFlag()
        // A subsystem that every machine has a device of, which announces itself when it is asked to.
        let watch = ThermalWatch(folder: folder.path, subsystem: "mem", changed: changed)
        let loop = try TestLoop(watch)
        #expect(watch.found == nil && !changed.isRaised)
        let descriptors = loop.openDescriptors
        try folder.write("thermal_zone0/temp", "97000\n")
        try folder.write("thermal_zone0/trip_point_0_type", "passive\n")
        try folder.write("thermal_zone0/trip_point_0_temp", "95000\n")
        let turn = try AnnouncementTurn()
        try turn.announce("add")
        try loop.run { watch.found == .serious }
        #expect(changed.isRaised && loop.openDescriptors == descriptors + 1)
    }
}
