/// Options of a category.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Dismissals are reported.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// In a car as well.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// The title is seen where contents are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// The subtitle is seen where contents are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
}

/// What can be done with notifications of a kind. Stores its values: nothing is displayed.
open class UNNotificationCategory: NSObject, @unchecked Sendable {  // immutable
    /// Names it.
    public let identifier: String
    /// What can be chosen.
    public let actions: [UNNotificationAction]
    /// The names of the intents that belong to it.
    public let intentIdentifiers: [String]
    /// The text in the place of contents that are hidden.
    public let hiddenPreviewsBodyPlaceholder: String
    /// What its notifications have.
    public let options: UNNotificationCategoryOptions
    /// - Parameters:
    ///   - identifier: names it.
    ///   - actions: what can be chosen.
    ///   - intentIdentifiers: the names of the intents that belong to it.
    ///   - hiddenPreviewsBodyPlaceholder: the text in the place of contents that are hidden.
    ///   - options: what its notifications have.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.options = options
    }
    /// - Parameters:
    ///   - identifier: names it.
    ///   - actions: what can be chosen.
    ///   - intentIdentifiers: the names of the intents that belong to it.
    ///   - options: what its notifications have.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: "", options: options)
    }
}
