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

    /// False: a worker is not told. The host holds tasks back, or ends them, in its own low power mode.
    public var isLowPowerModeEnabled: Bool { false }

    /// Nominal: a worker is not told. The host holds tasks back, or ends them, when the machine is hot.
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
