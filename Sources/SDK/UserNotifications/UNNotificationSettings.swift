/// Whether an application may notify.
public enum UNAuthorizationStatus: Int, Sendable {
    /// It has not asked.
    case notDetermined = 0
    /// It may not.
    case denied = 1
    /// It may.
    case authorized = 2
    /// It may, quietly.
    case provisional = 3
    /// It may for some time.
    case ephemeral = 4
}

/// What an application asks to be allowed.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The number at the icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// A sound.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Alerts.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// In a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// Always.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// The application's own settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// Quietly, without a question.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)

    /// For the journal.
    var words: String {
        let names: [(UNAuthorizationOptions, String)] = [
            (.alert, "alerts"), (.sound, "sounds"), (.badge, "badges"), (.carPlay, "cars"),
            (.criticalAlert, "critical alerts"), (.provisional, "quiet delivery"),
        ]
        let found = names.filter { contains($0.0) }.map(\.1)
        return found.isEmpty ? "nothing" : found.joined(separator: ", ")
    }
}

/// Whether one way to notify is on.
public enum UNNotificationSetting: Int, Sendable {
    /// There is none.
    case notSupported = 0
    /// It is off.
    case disabled = 1
    /// It is on.
    case enabled = 2
}

/// The application's authorization. On Linux it is what the application requested, and nothing is shown.
open class UNNotificationSettings: NSObject, @unchecked Sendable {  // immutable
    /// Whether it may notify.
    public let authorizationStatus: UNAuthorizationStatus
    private let options: UNAuthorizationOptions
    init(_ status: UNAuthorizationStatus, _ options: UNAuthorizationOptions) {
        authorizationStatus = status
        self.options = options
    }
    private func setting(_ option: UNAuthorizationOptions) -> UNNotificationSetting {
        options.contains(option) ? .enabled : .disabled
    }
    /// Alerts.
    open var alertSetting: UNNotificationSetting { setting(.alert) }
    /// Sounds.
    open var soundSetting: UNNotificationSetting { setting(.sound) }
    /// The number at the icon.
    open var badgeSetting: UNNotificationSetting { setting(.badge) }
    /// In a car.
    open var carPlaySetting: UNNotificationSetting { setting(.carPlay) }
    /// The list of all.
    open var notificationCenterSetting: UNNotificationSetting { setting(.alert) }
    /// While the device is locked.
    open var lockScreenSetting: UNNotificationSetting { setting(.alert) }
    /// Always.
    open var criticalAlertSetting: UNNotificationSetting { setting(.criticalAlert) }
    /// Also when others may not.
    open var timeSensitiveSetting: UNNotificationSetting { .notSupported }
}
