/// One instance of an application's interface. An application that has adopted scenes has one, from when it first comes to the
/// front until its process ends.
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

    /// Why a scene is being connected: here for no reason but that the application is brought to the front.
    open class ConnectionOptions: NSObject, @unchecked Sendable {  // immutable
        /// URLs to open: none.
        open var urlContexts: Set<UIOpenURLContext> { [] }
        /// Activities to continue: none.
        open var userActivities: Set<NSUserActivity> { [] }
        /// A quick action to perform: none.
        open var shortcutItem: UIApplicationShortcutItem? { nil }
        /// The application that asked: none.
        open var sourceApplication: String? { nil }
        /// The kind of an activity that comes from another device: none.
        open var handoffUserActivityType: String? { nil }
    }

    /// Options of a request for a scene.
    open class ActivationRequestOptions: NSObject {}

    /// The session that the scene belongs to.
    public let session: UISceneSession
    /// The object that hears of the scene's life. Kept.
    open var delegate: (any UISceneDelegate)?
    /// What the scene is doing: unattached until its delegate has heard that it is connected.
    open internal(set) var activationState = ActivationState.unattached
    /// What a user is doing in it.
    open var userActivity: NSUserActivity?
    /// The scene's title.
    open var title: String?

    /// - Parameters:
    ///   - session: the session that the scene belongs to.
    ///   - connectionOptions: why it is being connected.
    public init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// What the framework makes a scene with: one of the application's session.
    public required convenience init(_uikitLaunch: Void) {
        self.init(session: SceneConnection.session, connectionOptions: ConnectionOptions())
    }

    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")
    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// Posted on the main thread, right after the scene's delegate was told, with the scene as its object.
    public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
}

/// A scene with windows.
open class UIWindowScene: UIScene, @unchecked Sendable {
    /// The windows that belong to it, in the order in which they came to it.
    open var windows: [UIWindow] { WindowList.windows(of: self) }
    /// The window that was made key last; nil when none of its windows was.
    open var keyWindow: UIWindow? { WindowList.keyWindow(of: self) }
}

/// What lasts of a scene while it is not connected.
open class UISceneSession: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
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
    /// Names it as long as the process lives.
    public let persistentIdentifier = UUID().uuidString
    /// Its scene; nil while none is connected.
    open internal(set) weak var scene: UIScene?
    /// How its scene is made: what the application delegate said, or the manifest's `scene`.
    open internal(set) var configuration: UISceneConfiguration
    /// Kept as long as the process lives.
    open var userInfo: [String: Any]?
    /// Kept as long as the process lives.
    open var stateRestorationActivity: NSUserActivity?

    init(role: Role) {
        self.role = role
        configuration = UISceneConfiguration(name: nil, sessionRole: role)
    }
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
