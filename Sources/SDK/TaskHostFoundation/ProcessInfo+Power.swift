extension ProcessInfo {
    /// How hot the machine is.
    public enum ThermalState: Int, Sendable {
        /// Not.
        case nominal = 0
        /// Warm.
        case fair = 1
        /// Hot: the system slows itself down.
        case serious = 2
        /// Too hot.
        case critical = 3
    }

    /// False: a worker does not know it. In low-power mode the host delays or ends tasks itself.
    public var isLowPowerModeEnabled: Bool { false }

    /// Nominal: a worker does not know it. When the machine is hot the host delays or ends tasks itself.
    public var thermalState: ThermalState { .nominal }

    /// Never posted.
    public static let thermalStateDidChangeNotification = Notification.Name(
        "NSProcessInfoThermalStateDidChangeNotification")

    /// False: this is Linux.
    public var isMacCatalystApp: Bool { false }

    /// False: this is Linux.
    public var isiOSAppOnMac: Bool { false }
}

extension Notification.Name {
    /// Never posted.
    public static let NSProcessInfoPowerStateDidChange = Notification.Name(
        "NSProcessInfoPowerStateDidChangeNotification")
}
