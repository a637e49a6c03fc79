package import TaskModel
import Linux

/// The contents of `/sys/class/power_supply` (Documentation/ABI/testing/sysfs-class-power of the kernel).
package struct PowerSupplies: Hashable, Sendable {
    package var externalPower: Tristate
    /// Of all batteries that feed the machine together, in percent; nil: there is none.
    package var batteryLevel: UInt8?

    /// How many supplies are read at most.
    package static let most = 64

    /// The relevant data of one supply.
    package struct Supply: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case battery
            /// Feeds the machine from outside: mains, USB, wireless.
            case mains
            /// A battery outside that hides a mains failure.
            case ups
        }
        package enum Status: Hashable, Sendable { case charging, discharging, full, notCharging }

        package var kind: Kind
        /// Percent; nil: unknown.
        package var capacity: UInt8?
        package var status: Status?
        /// Mains are connected; nil: unknown.
        package var isOnline: Bool?
        /// Its capacity when full, in any unit; batteries of one machine share it.
        package var full: UInt64?
        package var now: UInt64?

        package init(kind: Kind) { self.kind = kind }
    }

    /// Reads the folder. A folder that is missing or empty is a machine without batteries: powered.
    package init(reading folder: String) {
        let names = ((try? FileSystem.names(in: folder)) ?? []).sorted().prefix(Self.most)
        self.init(names.compactMap { Supply(reading: folder + "/" + $0) })
    }

    package init(_ supplies: [Supply]) {
        let batteries = supplies.filter { $0.kind == .battery }
        let mains = supplies.filter { $0.kind == .mains }.compactMap(\.isOnline)
        let ups = supplies.filter { $0.kind == .ups }
        batteryLevel = Self.level(of: batteries.isEmpty ? ups : batteries)
        if ups.contains(where: { $0.status == .discharging }) {
            externalPower = .no  // its own mains are gone, whatever the machine's cable says
        } else if mains.contains(true) {
            externalPower = .yes
        } else if batteries.isEmpty {
            // Mains that are off and nothing else: something feeds the machine, since it runs.
            externalPower = .yes
        } else if batteries.contains(where: { $0.status == .discharging }) {
            externalPower = .no
        } else if !mains.isEmpty {
            externalPower = .no
        } else {
            // Some machines show no mains: a battery that is charging or full is fed.
            let isFed = batteries.contains { $0.status != nil }
            externalPower = isFed ? .yes : .unknown
        }
    }

    /// By charge when all report their capacity, else the mean of the percentages.
    private static func level(of batteries: [Supply]) -> UInt8? {
        let weighed = batteries.compactMap { battery -> (now: Double, full: Double)? in
            guard let now = battery.now, let full = battery.full, full > 0 else { return nil }
            return (Double(now), Double(full))
        }
        if batteries.count > 1, weighed.count == batteries.count {
            let full = weighed.reduce(0) { $0 + $1.full }
            return UInt8(min(100, max(0, (weighed.reduce(0) { $0 + $1.now } / full * 100).rounded())))
        }
        let percents = batteries.compactMap { battery -> Int? in
            if let capacity = battery.capacity { return Int(capacity) }
            guard let now = battery.now, let full = battery.full, full > 0 else { return nil }
            return Int(min(100, Double(now) / Double(full) * 100))
        }
        guard !percents.isEmpty else { return nil }
        return UInt8(percents.reduce(0, +) / percents.count)
    }
}

extension PowerSupplies.Supply {
    /// Reads one supply's folder; nil: a peripheral's battery, a missing one, or one without data.
    package init?(reading folder: String) {
        func text(_ name: String) -> String? {
            guard let text = try? FileText.read(folder + "/" + name, limit: 4096) else { return nil }
            return String(text.prefix { $0 != "\n" && $0 != "\0" })
        }
        func number(_ names: String...) -> UInt64? {
            for name in names { if let number = text(name).flatMap({ UInt64($0) }) { return number } }
            return nil
        }
        guard let type = text("type"), text("scope") != "Device" else { return nil }
        switch type {
        case "Battery":
            self.init(kind: .battery)
            if text("present") == "0" { return nil }
        case "UPS":
            self.init(kind: .ups)
        case "Mains", "Wireless", "BrickID": self.init(kind: .mains)
        case _ where type.hasPrefix("USB"): self.init(kind: .mains)
        default: return nil
        }
        capacity = number("capacity").flatMap { $0 <= 100 ? UInt8($0) : nil }
        switch text("status") {
        case "Charging": status = .charging
        case "Discharging": status = .discharging
        case "Full": status = .full
        case "Not charging": status = .notCharging
        default: status = nil
        }
        // 1: fixed voltage, 2: programmable; both are connected.
        isOnline = text("online").flatMap { UInt8($0) }.map { $0 != 0 }
        full = number("energy_full", "charge_full")
        now = number("energy_now", "charge_now")
    }
}
