/// One instance of an application's interface. A worker has none; the types let application code compile.
open class UIScene: UIResponder, @unchecked Sendable {  // as on iOS, used on the main thread
    /// What a scene is doing.
    public enum ActivationState: Int, Sendable {
        /// Not connected.
        case unattached = -1
        /// In front.
        case foregroundActive = 0
        /// In sight.
        case foregroundInactive = 1
        /// Out of sight.
        case background = 2
    }

    /// Why a scene is being connected.
    open class ConnectionOptions: NSObject, @unchecked Sendable {  // immutable
        /// URLs to open.
        open var urlContexts: Set<UIOpenURLContext> { [] }
        /// Activities to continue.
        open var userActivities: Set<NSUserActivity> { [] }
        /// A quick action to perform.
        open var shortcutItem: UIApplicationShortcutItem? { nil }
    }

    /// Options of a request for a scene.
    open class ActivationRequestOptions: NSObject {}

    /// The session that the scene belongs to.
    public let session: UISceneSession
    /// The object that hears of the scene's life.
    open var delegate: (any UISceneDelegate)?
    /// What the scene is doing.
    open var activationState: ActivationState { .unattached }
    /// The scene's title.
    open var title: String?

    /// - Parameters:
    ///   - session: the session that the scene belongs to.
    ///   - connectionOptions: why it is being connected.
    public init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// A scene of a session of its own.
    public required convenience init(_uikitLaunch: Void) {
        self.init(session: UISceneSession(role: .windowApplication), connectionOptions: ConnectionOptions())
    }

    /// Posted by nobody: a worker has no scenes.
    public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    /// Posted by nobody: a worker has no scenes.
    public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    /// Posted by nobody: a worker has no scenes.
    public static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")
    /// Posted by nobody: a worker has no scenes.
    public static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    /// Posted by nobody: a worker has no scenes.
    public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// Posted by nobody: a worker has no scenes.
    public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
}

/// A scene with windows.
open class UIWindowScene: UIScene, @unchecked Sendable {
    /// Its windows.
    open var windows: [UIWindow] { [] }
    /// The window that gets the keys.
    open var keyWindow: UIWindow? { nil }
}

/// What lasts of a scene while it is not connected.
open class UISceneSession: NSObject, @unchecked Sendable {  // immutable
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The role as text.
        public let rawValue: String
        /// - Parameter rawValue: the role as text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// An application's own window.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        /// A window on another screen.
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    /// What its scene is for.
    public let role: Role
    /// Names it for good.
    public let persistentIdentifier = UUID().uuidString
    /// How its scene is made.
    open var configuration: UISceneConfiguration { UISceneConfiguration(name: nil, sessionRole: role) }

    init(role: Role) { self.role = role }
}

/// How a scene is made.
open class UISceneConfiguration: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Its name in the application's list of scenes.
    public let name: String?
    /// What the scene is for.
    public let role: UISceneSession.Role
    /// The class of its delegate.
    open var delegateClass: AnyClass?
    /// The class of the scene.
    open var sceneClass: AnyClass?

    /// - Parameters:
    ///   - name: its name in the application's list of scenes.
    ///   - sessionRole: what the scene is for.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }
}

/// A URL to open.
open class UIOpenURLContext: NSObject, @unchecked Sendable {  // immutable
    /// The URL.
    public let url: URL
    init(url: URL) { self.url = url }
}
