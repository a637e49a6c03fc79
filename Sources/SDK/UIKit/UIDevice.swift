/// The machine.
open class UIDevice: NSObject, @unchecked Sendable {  // immutable but for one flag of no effect
    /// The state of the battery.
    public enum BatteryState: Int, Sendable {
        /// Nothing.
        case unknown = 0
        /// It feeds the machine.
        case unplugged = 1
        /// It is being charged.
        case charging = 2
        /// It is full.
        case full = 3
    }

    /// Kinds of interfaces.
    public enum UserInterfaceIdiom: Int, Sendable {
        /// Unknown.
        case unspecified = -1
        /// A telephone's.
        case phone = 0
        /// A tablet's.
        case pad = 1
        /// A television's.
        case tv = 2
        /// A car's.
        case carPlay = 3
        /// A desktop's.
        case mac = 5
        /// A headset's.
        case vision = 6
    }

    /// Never posted.
    public class var batteryStateDidChangeNotification: Notification.Name {
        Notification.Name("UIDeviceBatteryStateDidChangeNotification")
    }
    /// Never posted.
    public class var batteryLevelDidChangeNotification: Notification.Name {
        Notification.Name("UIDeviceBatteryLevelDidChangeNotification")
    }

    /// The machine that this runs on.
    open class var current: UIDevice { single }
    private static let single = UIDevice()

    /// The machine's name.
    open var name: String { ProcessInfo.processInfo.hostName }
    /// Linux.
    open var systemName: String { "Linux" }
    /// The kernel's version.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// Linux.
    open var model: String { "Linux" }
    /// Linux.
    open var localizedModel: String { model }
    /// Unknown: a worker has no screen.
    open var userInterfaceIdiom: UserInterfaceIdiom { .unspecified }
    /// None: a worker cannot distinguish vendors.
    open var identifierForVendor: UUID? { nil }
    /// True: applications run in the background.
    open var isMultitaskingSupported: Bool { true }
    /// Stored without effect: conditions reach a worker through the gates of its tasks.
    open var isBatteryMonitoringEnabled = false
    /// Unknown: power is the host's business, see `requiresExternalPower`.
    open var batteryState: BatteryState { .unknown }
    /// -1: unknown.
    open var batteryLevel: Float { -1 }
}
