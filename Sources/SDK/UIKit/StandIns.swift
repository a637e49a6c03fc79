/// Types that application code mentions and that a worker, which has no screen, gives no life to.

/// A piece of an interface.
open class UIView: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Whether it is not to be seen.
    open var isHidden = false
    /// Makes a view.
    public override init() { super.init() }
}

/// The outermost view.
open class UIWindow: UIView, @unchecked Sendable {
    /// The controller of what it contains.
    open var rootViewController: UIViewController?
    /// The scene that it is part of.
    open weak var windowScene: UIWindowScene?
    /// Makes a window of no scene.
    public override init() { super.init() }
    /// - Parameter windowScene: the scene that it is part of.
    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init()
    }
    /// Shows the window, if there were a screen.
    open func makeKeyAndVisible() { isHidden = false }
}

/// Controls a view.
open class UIViewController: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Its view.
    open var view: UIView! = UIView()
    /// What it is called.
    open var title: String?
    /// - Parameters:
    ///   - nibNameOrNil: of no effect.
    ///   - nibBundleOrNil: of no effect.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init() }
    /// Makes a controller.
    public override convenience init() { self.init(nibName: nil, bundle: nil) }
    /// Called on iOS when the view has been made.
    open func viewDidLoad() {}
    /// Called on iOS when the view is about to be seen.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called on iOS when the view is seen.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called on iOS when the view is about to be gone.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called on iOS when the view is gone.
    open func viewDidDisappear(_ animated: Bool) {}
}

/// Orientations of a screen.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    /// On its head.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
    /// Lying on its right side.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
    /// Lying on its left side.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
    /// Lying.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// Any.
    public static let all: UIInterfaceOrientationMask = [.portrait, .landscape, .portraitUpsideDown]
    /// Any but on its head.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}

/// What a user is doing.
open class NSUserActivity: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Names the kind of activity.
    public let activityType: String
    /// What it is called.
    open var title: String?
    /// What is needed to continue it.
    open var userInfo: [AnyHashable: Any]?
    /// The page that shows the same.
    open var webpageURL: URL?
    /// - Parameter activityType: names the kind of activity.
    public init(activityType: String) { self.activityType = activityType }
}

/// Continues what a user was doing.
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Restores the state of an activity.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// A quick action of an application's icon.
open class UIApplicationShortcutItem: NSObject, @unchecked Sendable {  // immutable
    /// Names the action.
    public let type: String
    /// What it is called.
    public let localizedTitle: String
    /// - Parameters:
    ///   - type: names the action.
    ///   - localizedTitle: what it is called.
    public init(type: String, localizedTitle: String) {
        self.type = type
        self.localizedTitle = localizedTitle
    }
}
