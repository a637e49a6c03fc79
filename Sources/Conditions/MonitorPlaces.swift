import Glibc

/// Where the machine tells of itself. Tests give folders and buses of their own.
package struct MonitorPlaces: Sendable {
    package var powerSupplies = "/sys/class/power_supply"
    package var thermalZones = "/sys/class/thermal"
    package var pressure = "/proc/pressure"
    /// A D-Bus address; nil: no bus is looked for.
    package var bus: String? = "unix:path=/run/dbus/system_bus_socket"

    package init() {}

    /// The places of this machine. `DBUS_SYSTEM_BUS_ADDRESS` names another bus, as for every program on the system bus.
    package static var system: MonitorPlaces {
        var places = MonitorPlaces()
        if let address = getenv("DBUS_SYSTEM_BUS_ADDRESS") { places.bus = String(cString: address) }
        return places
    }
}
