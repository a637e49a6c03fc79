import Linux

/// Where the machine's conditions are read. Tests use their own folders and buses.
package struct MonitorPlaces: Sendable {
    package var powerSupplies = "/sys/class/power_supply"
    package var thermalZones = "/sys/class/thermal"
    package var pressure = "/proc/pressure"
    /// A D-Bus address; nil: no bus.
    package var bus: String? = "unix:path=/run/dbus/system_bus_socket"

    package init() {}

    /// The places of this machine. `DBUS_SYSTEM_BUS_ADDRESS` names another bus, as for every program on the system bus.
    ///
    /// In debug builds only, `TASKHOST_DEVICE_ROOT=/folder` is put before the paths of files, so that tests do not depend on
    /// the load of their machine.
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
