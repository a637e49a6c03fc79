import TaskModel

/// The services that are asked, and what of them.
struct BusServices {
    let upower: BusService
    let profiles: BusService
    let oldProfiles: BusService
    let logind: BusService
    let networkManager: BusService

    var all: [BusService] { [upower, profiles, oldProfiles, logind, networkManager] }

    static let logindPath = "/org/freedesktop/login1"
    static let logindInterface = "org.freedesktop.login1.Manager"

    init(changed: ChangeFlag) {
        let device = "/org/freedesktop/UPower/devices/DisplayDevice"
        upower = BusService(
            "org.freedesktop.UPower",
            Self.properties("/org/freedesktop/UPower", "org.freedesktop.UPower", ["OnBattery": .bool])
                + Self.properties(
                    device, "org.freedesktop.UPower.Device", ["IsPresent": .bool, "Percentage": .double]),
            changed: changed)
        // power-profiles-daemon before and since 0.20; it owns both names since.
        oldProfiles = Self.profiles("net.hadess.PowerProfiles", "/net/hadess/PowerProfiles", changed)
        profiles = Self.profiles(
            "org.freedesktop.UPower.PowerProfiles", "/org/freedesktop/UPower/PowerProfiles", changed)
        logind = BusService(
            "org.freedesktop.login1",
            Self.properties(
                Self.logindPath, Self.logindInterface, ["IdleHint": .bool, "InhibitDelayMaxUSec": .count]),
            changed: changed)
        let manager = "org.freedesktop.NetworkManager"
        networkManager = BusService(
            manager,
            Self.properties(
                "/org/freedesktop/NetworkManager", manager, ["Metered": .number, "Connectivity": .number]),
            changed: changed)
    }

    private static func profiles(_ name: String, _ path: String, _ changed: ChangeFlag) -> BusService {
        BusService(name, properties(path, name, ["ActiveProfile": .string]), changed: changed)
    }

    private static func properties(
        _ path: String, _ interface: String, _ types: KeyValuePairs<String, BusValue.Kind>
    ) -> [BusProperty] {
        types.map { BusProperty(path: path, interface: interface, name: $0.key, type: $0.value) }
    }

    /// Their present values.
    func findings(fault: String?) -> BusFindings {
        var found = BusFindings()
        found.fault = fault
        found.hasUPower = upower.owner != nil
        if case .bool(let onBattery) = upower.values[0] { found.onBattery = onBattery }
        if case .bool(let isPresent) = upower.values[1] {
            if !isPresent {
                found.battery = .some(nil)
            } else if case .double(let percent) = upower.values[2], percent >= 0, percent <= 100 {
                found.battery = .some(UInt8(percent.rounded()))
            }
        }
        found.hasProfiles = profiles.owner != nil || oldProfiles.owner != nil
        if case .string(let profile) = profiles.values[0] ?? oldProfiles.values[0] { found.profile = profile }
        found.hasLogind = logind.owner != nil
        if case .bool(let isIdle) = logind.values[0] { found.isIdle = isIdle }
        found.hasNetworkManager = networkManager.owner != nil
        if case .number(let metered) = networkManager.values[0] { found.metered = metered }
        if case .number(let connectivity) = networkManager.values[1] { found.connectivity = connectivity }
        return found
    }
}

/// The values of the bus's services; nil: unknown.
package struct BusFindings: Hashable, Sendable {
    /// Why no service can be asked; nil: the bus answers.
    package var fault: String? = "no system bus has answered yet"
    package var hasUPower = false
    package var onBattery: Bool?
    /// Percent; `.some(nil)`: UPower reports no battery.
    package var battery: UInt8??
    package var hasProfiles = false
    /// The name of the power profile.
    package var profile: String?
    package var hasLogind = false
    package var isIdle: Bool?
    package var hasNetworkManager = false
    /// NMMetered: 0 unknown, 1 yes, 2 no, 3 probably, 4 probably not.
    package var metered: UInt32?
    /// NMConnectivityState: 0 unknown, 1 none, 2 behind a portal, 3 limited, 4 full.
    package var connectivity: UInt32?

    package init() {}
}
