/// One instance of an application's interface. An application that has adopted scenes has one, from its first time in the
/// foreground until its process ends.
open class UIScene: UIResponder, @unchecked Sendable {  // as on iOS, used on the main thread
    /// The state of a scene.
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
    /// The delegate of the scene's lifecycle. Retained.
    open var delegate: (any UISceneDelegate)?
    /// The scene's state: unattached until its delegate was called for the connection.
    open internal(set) var activationState = ActivationState.unattached
    /// The user's activity in it.
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

    /// The framework creates a scene with it: one of the application's session.
    public required convenience init(_uikitLaunch: Void) {
        self.init(session: SceneConnection.session, connectionOptions: ConnectionOptions())
    }

    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")
    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// Posted on the main thread, right after the scene's delegate was called, with the scene as its object.
    public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
}

/// A scene with windows.
open class UIWindowScene: UIScene, @unchecked Sendable {
    /// Its windows, in the order in which they were added.
    open var windows: [UIWindow] { WindowList.windows(of: self) }
    /// The window that was last made key; nil when none was.
    open var keyWindow: UIWindow? { WindowList.keyWindow(of: self) }
}

/// What lasts of a scene while it is not connected.
open class UISceneSession: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// The role of a scene.
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
        /// Templates on a car's screen. No scene has this role here.
        public static let carTemplateApplication = Role(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    }

    /// What its scene is for.
    public let role: Role
    /// Identifies it within the process.
    public let persistentIdentifier = UUID().uuidString
    /// Its scene; nil while none is connected.
    open internal(set) weak var scene: UIScene?
    /// The configuration of its scene: from the application delegate, or from the manifest's `scene`.
    open internal(set) var configuration: UISceneConfiguration
    /// Kept within the process.
    open var userInfo: [String: Any]?
    /// Kept within the process.
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
    /// The role of the scene.
    public let role: UISceneSession.Role
    /// The class of its delegate.
    open var delegateClass: AnyClass?
    /// The class of the scene.
    open var sceneClass: AnyClass?

    /// - Parameters:
    ///   - name: its name in the application's list of scenes.
    ///   - sessionRole: the role of the scene.
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
