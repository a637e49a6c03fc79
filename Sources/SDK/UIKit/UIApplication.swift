internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// The application: its state, its delegate, its background time.
open class UIApplication: NSObject, @unchecked Sendable {  // `stored` has a lock
    /// What an application is doing.
    public enum State: Int, Sendable {
        /// It is in front.
        case active = 0
        /// It is on its way to the front or away from it.
        case inactive = 1
        /// It runs out of sight.
        case background = 2
    }

    /// Keys of the dictionary that an application gets when it launches. It is always nil here.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key as text.
        public let rawValue: String
        /// - Parameter rawValue: the key as text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A URL to open.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The application that requested the launch.
        public static let sourceApplication = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// A remote notification.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// A place.
        public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// An activity of the user.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// A quick action.
        public static let shortcutItem = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// What came with a URL to open.
        public static let annotation = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
        /// Managers of Bluetooth's central role.
        public static let bluetoothCentrals = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
        /// Managers of Bluetooth's peripheral role.
        public static let bluetoothPeripherals = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
        /// An invitation to share a record of CloudKit.
        public static let cloudKitShareMetadata = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsCloudKitShareMetadataKey")
    }

    /// Keys of the dictionary that comes with a URL to open.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key as text.
        public let rawValue: String
        /// - Parameter rawValue: the key as text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The application that asked.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }

    private struct Stored: Sendable {
        var state = State.inactive
        var badge = 0
        var isIdleTimerDisabled = false
        var shortcutItems: [UIApplicationShortcutItem]?
        var scenes: Set<UIScene> = []
        var sessions: Set<UISceneSession> = []
    }
    private let stored = Mutex(Stored())
    private let storedDelegate = Mutex<DelegateReference>(DelegateReference(object: nil))
    private struct DelegateReference: @unchecked Sendable { var object: (any UIApplicationDelegate)? }

    /// The application.
    open class var shared: UIApplication {
        LifecycleEvents.start()
        return single
    }
    private static let single: UIApplication = {
        let new = UIApplication()
        new.enter(hostState)
        return new
    }()

    /// The host's state; inactive outside of a worker.
    static var hostState: State {
        switch unsafe ConnectedHost.current?.lifecycle?.pointee.state() {
        case TASKHOST_STATE_ACTIVE: .active
        case TASKHOST_STATE_BACKGROUND, TASKHOST_STATE_SUSPENDED: .background
        default: .inactive
        }
    }

    /// The delegate of the application's lifecycle. Retained.
    open var delegate: (any UIApplicationDelegate)? {
        get { storedDelegate.withLock { $0.object } }
        set {
            let new = DelegateReference(object: newValue)
            storedDelegate.withLock { $0 = new }
        }
    }

    /// The application's state.
    open var applicationState: State { stored.withLock { $0.state } }

    /// The application is as before its launch. Only for TaskHostTesting, whose processes share one.
    @MainActor package static func forget() {
        single.stored.withLock { $0 = Stored() }
        single.delegate = nil
        LifecycleEvents.forget()
        SceneConnection.forget()
        BackgroundTime.forget()
    }

    func enter(_ state: State) { stored.withLock { $0.state = state } }

    /// Whether the user allows background refresh for the application.
    open var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        guard let lifecycle = unsafe ConnectedHost.current?.lifecycle else { return .restricted }
        return unsafe UIBackgroundRefreshStatus(rawValue: Int(lifecycle.pointee.background_refresh())) ?? .restricted
    }

    /// A number that is kept for the application; nothing shows it.
    open var applicationIconBadgeNumber: Int {
        get { stored.withLock { $0.badge } }
        set { stored.withLock { $0.badge = newValue } }
    }

    /// Stored; there is no display to keep awake.
    open var isIdleTimerDisabled: Bool {
        get { stored.withLock { $0.isIdleTimerDisabled } }
        set { stored.withLock { $0.isIdleTimerDisabled = newValue } }
    }

    /// The quick actions of the application's icon. Kept within the process; nothing shows them, and none is performed.
    open var shortcutItems: [UIApplicationShortcutItem]? {
        get { stored.withLock { $0.shortcutItems } }
        set { stored.withLock { $0.shortcutItems = newValue } }
    }

    /// Whether files under protection can be read: always.
    open var isProtectedDataAvailable: Bool { true }

    /// The scenes of the application: one, or none before it first comes to the foreground and if it has not adopted scenes.
    open var connectedScenes: Set<UIScene> { stored.withLock { $0.scenes } }
    /// The sessions of the scenes that are connected.
    open var openSessions: Set<UISceneSession> { stored.withLock { $0.sessions } }
    /// The windows of the application that are shown, oldest first.
    open var windows: [UIWindow] { WindowList.shown }
    /// Whether the application may have several scenes: it has one at most.
    open var supportsMultipleScenes: Bool { false }

    @MainActor func setConnected(_ scenes: Set<UIScene>) {
        let sessions = Set(scenes.map(\.session))
        stored.withLock { ($0.scenes, $0.sessions) = (scenes, sessions) }
    }

    // MARK: Background time

    /// Requests time to finish work after the application has left the foreground.
    /// - Parameters:
    ///   - taskName: its purpose, for the host's journal.
    ///   - handler: called on the main thread shortly before the time is up; must end it.
    @preconcurrency
    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (() -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { BackgroundTime.begin(taskName, handler) }

    /// Requests time to finish work after the application has left the foreground.
    /// - Parameter handler: called on the main thread shortly before the time is up; must end it.
    @preconcurrency
    open func beginBackgroundTask(expirationHandler handler: (() -> Void)? = nil) -> UIBackgroundTaskIdentifier {
        BackgroundTime.begin(nil, handler)
    }

    /// Ends the background time.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { BackgroundTime.end(identifier) }

    /// The seconds of background time that are left; the largest number while the application is in front.
    open var backgroundTimeRemaining: TimeInterval {
        unsafe ConnectedHost.current?.lifecycle?.pointee.background_time_remaining() ?? .greatestFiniteMagnitude
    }

    // MARK: Legacy background fetch

    /// As often as may be.
    public class var backgroundFetchIntervalMinimum: TimeInterval { 0 }
    /// Never.
    public class var backgroundFetchIntervalNever: TimeInterval { .greatestFiniteMagnitude }

    /// Requests background fetches at least this many seconds apart; an application that never does gets none. The host
    /// stores it. Without effect, as the journal says, when the manifest lacks the background mode `fetch` or has a task of
    /// the kind `appRefresh`.
    open func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        Fetching.setInterval(minimumBackgroundFetchInterval)
    }

    // MARK: Remote notifications

    /// Requests the application's token, which the delegate receives on the main thread, later: the same one each time.
    /// The delegate receives an error when the manifest lacks the background mode `remote-notification`.
    open func registerForRemoteNotifications() { RemoteRegistration.begin() }

    /// Whether the application has a token, from this process or an earlier one.
    open var isRegisteredForRemoteNotifications: Bool { RemoteRegistration.isValid }

    /// Gives the token back. What `taskhost notify` sends still comes: the host keeps no tokens.
    open func unregisterForRemoteNotifications() { RemoteRegistration.end() }

    // MARK: What needs a screen

    /// Does nothing: a worker has no screen to keep a picture of.
    open func ignoreSnapshotOnNextApplicationLaunch() {}

    /// Whether a URL could be opened: never, a worker has no screen.
    open func canOpenURL(_ url: URL) -> Bool { false }

    /// Opens nothing, and passes false to the handler.
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: ((Bool) -> Void)? = nil
    ) {
        completionHandler?(false)
    }

    /// Opens nothing: false.
    @discardableResult
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }

    /// Options of `open`.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key as text.
        public let rawValue: String
        /// - Parameter rawValue: the key as text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The URL that opens the application's settings on iOS.
    public class var openSettingsURLString: String { "app-settings:" }
    /// The URL that opens the settings of the application's notifications on iOS.
    public class var openNotificationSettingsURLString: String { "app-settings:notifications" }

    /// Kinds of extensions that an application may refuse.
    public struct ExtensionPointIdentifier: RawRepresentable, Hashable, Sendable {
        /// The kind as text.
        public let rawValue: String
        /// - Parameter rawValue: the kind as text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Keyboards.
        public static let keyboard = ExtensionPointIdentifier(rawValue: "com.apple.keyboard-service")
    }
}

/// Whether an application may be refreshed in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Not here, and the user cannot change that.
    case restricted = 0
    /// The user does not want it.
    case denied = 1
    /// It may.
    case available = 2
}

/// The result of a fetch.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new.
    case newData = 0
    /// Nothing new.
    case noData = 1
    /// It did not work.
    case failed = 2
}
