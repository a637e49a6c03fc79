/// A picture of a quick action. A value that nothing shows.
open class UIApplicationShortcutIcon: NSObject, @unchecked Sendable {  // immutable
    /// Pictures that all applications have.
    public enum IconType: Int, Sendable {
        /// To be written.
        case compose = 0
        /// To be played.
        case play = 1
        /// To be interrupted.
        case pause = 2
        /// One more.
        case add = 3
        /// A place.
        case location = 4
        /// To be looked for.
        case search = 5
        /// To be shared.
        case share = 6
    }
    /// - Parameter type: of no effect.
    public init(type: IconType) { super.init() }
    /// - Parameter templateImageName: of no effect.
    public init(templateImageName: String) { super.init() }
    /// - Parameter systemImageName: of no effect.
    public init(systemImageName: String) { super.init() }
}

/// A quick action of an application's icon.
open class UIApplicationShortcutItem: NSObject, @unchecked Sendable {  // only the mutable one changes, as on iOS
    /// Names the action.
    open internal(set) var type: String
    /// Its title.
    open internal(set) var localizedTitle: String
    /// A line below the title.
    open internal(set) var localizedSubtitle: String?
    /// Its picture.
    open internal(set) var icon: UIApplicationShortcutIcon?
    /// The application's own data.
    open internal(set) var userInfo: [String: any NSSecureCoding]?
    /// - Parameters:
    ///   - type: names the action.
    ///   - localizedTitle: its title.
    ///   - localizedSubtitle: a line below the title.
    ///   - icon: its picture.
    ///   - userInfo: the application's own data.
    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?, icon: UIApplicationShortcutIcon?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        (self.type, self.localizedTitle, self.localizedSubtitle) = (type, localizedTitle, localizedSubtitle)
        (self.icon, self.userInfo) = (icon, userInfo)
        super.init()
    }
    /// - Parameters:
    ///   - type: names the action.
    ///   - localizedTitle: its title.
    public convenience init(type: String, localizedTitle: String) {
        self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
    }
}
