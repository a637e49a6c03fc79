import Linux

/// Where the machine tells of itself. Tests give folders and buses of their own.
package struct MonitorPlaces: Sendable {
    package var powerSupplies = "/sys/class/power_supply"
    package var thermalZones = "/sys/class/thermal"
    package var pressure = "/proc/pressure"
    /// A D-Bus address; nil: no bus is looked for.
    package var bus: String? = "unix:path=/run/dbus/system_bus_socket"

    package init() {}

    /// The places of this machine. `DBUS_SYSTEM_BUS_ADDRESS` names another bus, as for every program on the system bus.
    ///
    /// In debug builds only, `TASKHOST_DEVICE_ROOT=/folder` stands before the paths of files: what a test sees then does not
    /// hang on the load of the machine that it runs on.
    package static var system: MonitorPlaces {
        var places = MonitorPlaces()
        #if DEBUG
        if let root = ThisProcess.variable("TASKHOST_DEVICE_ROOT") {
            places.powerSupplies = root + places.powerSupplies
            places.thermalZones = root + places.thermalZones
            places.pressure = root + places.pressure
        }
        #endif
        if let address = ThisProcess.variable("DBUS_SYSTEM_BUS_ADDRESS") { places.bus = address }
        return places
    }
}
