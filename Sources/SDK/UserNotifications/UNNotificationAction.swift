/// Options of an action.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Not while the device is locked.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// It may destroy something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// The application comes to the foreground.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// An action of a notification: no user chooses it.
open class UNNotificationAction: NSObject, @unchecked Sendable {  // immutable
    /// Names it.
    public let identifier: String
    /// Its title.
    public let title: String
    /// How it is done.
    public let options: UNNotificationActionOptions
    /// - Parameters:
    ///   - identifier: names it.
    ///   - title: its title.
    ///   - options: how it is done.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }
}

/// An action for which the user writes a text: no user chooses it.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The title of the button that sends the text.
    public let textInputButtonTitle: String
    /// What is seen where there is no text.
    public let textInputPlaceholder: String
    /// - Parameters:
    ///   - identifier: names it.
    ///   - title: its title.
    ///   - options: how it is done.
    ///   - textInputButtonTitle: the title of the button that sends the text.
    ///   - textInputPlaceholder: what is seen where there is no text.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options)
    }
}
