import Conditions
import TaskModel
import TestSupport
import Testing

@Suite("Power supplies of sysfs")
struct PowerSupplyTests {
    private static let adapter = ["type": "Mains", "online": "1"]
    private static let unplugged = ["type": "Mains", "online": "0"]

    private static func battery(_ status: String, _ capacity: String, _ more: [String: String] = [:]) -> [String:
        String]
    {
        ["type": "Battery", "present": "1", "status": status, "capacity": capacity, "scope": "System"]
            .merging(more) { $1 }
    }

    private func read(_ supplies: [String: [String: String]]) throws -> PowerSupplies {
        let folder = try Folder()
        for (name, files) in supplies {
            for (file, text) in files { try folder.write("\(name)/\(file)", text + "\n") }
        }
        return PowerSupplies(reading: folder.path)
    }

    @Test("A machine without supplies, or without the folder, is powered and has no battery")
    func desktop() throws {
        #expect(try read([:]) == PowerSupplies([]))
        #expect(PowerSupplies(reading: "/nonexistent").externalPower == .yes)
        #expect(PowerSupplies(reading: "/nonexistent").batteryLevel == nil)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var supplies: [String: [String: String]]
        var power: Tristate
        var level: UInt8?
    }

    static let cases = [
        Case(
            testDescription: "laptop on mains, charging", supplies: ["AC": adapter, "BAT0": battery("Charging", "55")],
            power: .yes, level: 55),
        Case(
            testDescription: "laptop on battery", supplies: ["AC": unplugged, "BAT0": battery("Discharging", "41")],
            power: .no, level: 41),
        Case(
            testDescription: "laptop on mains, full", supplies: ["AC": adapter, "BAT0": battery("Full", "100")],
            power: .yes, level: 100),
        Case(
            testDescription: "mains too weak: the battery helps",
            supplies: ["AC": adapter, "BAT0": battery("Discharging", "70")], power: .yes, level: 70),
        Case(
            testDescription: "just unplugged, the status lags",
            supplies: ["AC": unplugged, "BAT0": battery("Not charging", "90")], power: .no, level: 90),
        Case(
            testDescription: "battery that charges, mains unseen", supplies: ["BAT0": battery("Charging", "12")],
            power: .yes, level: 12),
        Case(
            testDescription: "battery that discharges, mains unseen", supplies: ["BAT0": battery("Discharging", "12")],
            power: .no, level: 12),
        Case(
            testDescription: "battery that says nothing", supplies: ["BAT0": battery("Unknown", "200")],
            power: .unknown, level: nil),
        Case(
            testDescription: "battery bay that is empty",
            supplies: ["AC": adapter, "BAT1": battery("Unknown", "0", ["present": "0"])], power: .yes, level: nil),
        Case(
            testDescription: "USB-PD: one port feeds",
            supplies: [
                "ucsi1": ["type": "USB", "online": "0"], "ucsi2": ["type": "USB_PD", "online": "2"],
                "BAT0": battery("Charging", "80"),
            ], power: .yes, level: 80),
        Case(
            testDescription: "USB-PD: no port feeds",
            supplies: ["ucsi1": ["type": "USB", "online": "0"], "BAT0": battery("Discharging", "80")], power: .no,
            level: 80),
        Case(
            testDescription: "desktop with a wireless mouse",
            supplies: ["hidpp_battery_0": battery("Discharging", "5", ["scope": "Device"])], power: .yes, level: nil),
        Case(
            testDescription: "laptop on mains with a mouse",
            supplies: [
                "AC": adapter, "BAT0": battery("Full", "99"), "hid-1": battery("Discharging", "3", ["scope": "Device"]),
            ], power: .yes, level: 99),
        Case(testDescription: "desktop whose mains read as off", supplies: ["AC": unplugged], power: .yes, level: nil),
        Case(
            testDescription: "UPS on mains", supplies: ["ups": ["type": "UPS", "status": "Full", "capacity": "100"]],
            power: .yes, level: 100),
        Case(
            testDescription: "UPS after a mains failure",
            supplies: ["AC": adapter, "ups": ["type": "UPS", "status": "Discharging", "capacity": "64"]], power: .no,
            level: 64),
        Case(
            testDescription: "two batteries weigh by what they hold",
            supplies: [
                "AC": unplugged,
                "BAT0": battery("Discharging", "50", ["energy_full": "10000000", "energy_now": "5000000"]),
                "BAT1": battery("Unknown", "100", ["energy_full": "30000000", "energy_now": "30000000"]),
            ], power: .no, level: 88),
        Case(
            testDescription: "two batteries without figures",
            supplies: ["AC": unplugged, "BAT0": battery("Discharging", "50"), "BAT1": battery("Full", "100")],
            power: .no, level: 75),
        Case(
            testDescription: "no capacity, but charge",
            supplies: [
                "BAT0": ["type": "Battery", "status": "Discharging", "charge_full": "400", "charge_now": "100"]
            ], power: .no, level: 25),
        Case(
            testDescription: "broken files",
            supplies: [
                "AC": ["type": "Mains", "online": "yes"],
                "BAT0": ["type": "Battery", "status": "\u{1}\u{2}", "capacity": "-3"], "BAT1": ["status": "Full"],
                "X": ["type": ""],
            ], power: .unknown, level: nil),
    ]

    @Test("Every kind of machine", arguments: cases)
    func machines(_ row: Case) throws {
        let found = try read(row.supplies)
        #expect(found.externalPower == row.power)
        #expect(found.batteryLevel == row.level)
    }

    @Test("A file that never ends is refused, not read")
    func endless() throws {
        let folder = try Folder()
        try folder.write("BAT0/type", "Battery\n" + String(repeating: "x", count: 1 << 20))
        #expect(PowerSupplies(reading: folder.path).batteryLevel == nil)
    }
}
