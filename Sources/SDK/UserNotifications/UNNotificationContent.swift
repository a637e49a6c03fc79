/// The content of a notification.
open class UNNotificationContent: NSObject, NSCopying, @unchecked Sendable {  // a mutable one has one owner
    /// The stored values.
    struct Fields {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var category = ""
        var thread = ""
        var target: String?
        var level = UNNotificationInterruptionLevel.active
        var relevance = 0.0
        var attachments: [UNNotificationAttachment] = []
    }
    final var fields: Fields

    /// Empty.
    public override init() { fields = Fields() }

    init(_ fields: Fields) { self.fields = fields }

    /// Its title.
    open var title: String { fields.title }
    /// Its subtitle.
    open var subtitle: String { fields.subtitle }
    /// The text.
    open var body: String { fields.body }
    /// The number at the application's icon.
    open var badge: NSNumber? { fields.badge }
    /// Its sound.
    open var sound: UNNotificationSound? { fields.sound }
    /// The application's own data. Not kept after the process ends.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// The category with its actions.
    open var categoryIdentifier: String { fields.category }
    /// Groups notifications.
    open var threadIdentifier: String { fields.thread }
    /// The scene that it is for.
    open var targetContentIdentifier: String? { fields.target }
    /// How much it may disturb.
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.level }
    /// Its weight among others, 0 to 1.
    open var relevanceScore: Double { fields.relevance }
    /// Files that go with it. Not kept beyond the process.
    open var attachments: [UNNotificationAttachment] { fields.attachments }

    /// An immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }
    open override func copy() -> Any { copy(with: nil) }
    /// A mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields) }
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }
}

/// The content of a notification that can be changed.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// Empty at first.
    public override init() { super.init() }
    override init(_ fields: Fields) { super.init(fields) }

    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }
    open override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }
    open override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }
    open override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }
    open override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }
    open override var categoryIdentifier: String {
        get { fields.category }
        set { fields.category = newValue }
    }
    open override var threadIdentifier: String {
        get { fields.thread }
        set { fields.thread = newValue }
    }
    open override var targetContentIdentifier: String? {
        get { fields.target }
        set { fields.target = newValue }
    }
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.level }
        set { fields.level = newValue }
    }
    open override var relevanceScore: Double {
        get { fields.relevance }
        set { fields.relevance = newValue }
    }
    open override var attachments: [UNNotificationAttachment] {
        get { fields.attachments }
        set { fields.attachments = newValue }
    }
}

/// How much a notification may disturb.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Not at all.
    case passive = 0
    /// As usual.
    case active = 1
    /// Also when others may not.
    case timeSensitive = 2
    /// Always.
    case critical = 3
}

/// The sound of a notification: silent.
open class UNNotificationSound: NSObject, @unchecked Sendable {  // immutable
    /// The usual one.
    open class var `default`: UNNotificationSound { UNNotificationSound() }
    /// The usual sound of a critical one.
    open class var defaultCritical: UNNotificationSound { UNNotificationSound() }
    override init() { super.init() }
    /// - Parameter name: of a file.
    public convenience init(named name: UNNotificationSoundName) { self.init() }
}

/// Names a sound.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name of a file.
    public let rawValue: String
    /// - Parameter rawValue: the name of a file.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// - Parameter rawValue: the name of a file.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A file that goes with a notification.
open class UNNotificationAttachment: NSObject, @unchecked Sendable {  // immutable
    /// Names it.
    public let identifier: String
    /// Where it is.
    public let url: URL
    /// - Parameters:
    ///   - identifier: names it.
    ///   - url: where it is.
    ///   - options: of no effect.
    /// - Throws: never here.
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        self.identifier = identifier
        self.url = url
    }
}
