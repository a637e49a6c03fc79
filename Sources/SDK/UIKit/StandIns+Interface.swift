/// Interface types that application code mentions and that do nothing in a worker, which has no screen.

/// A screen: none.
open class UIScreen: NSObject, @unchecked Sendable {  // immutable
    /// No screen, of no size.
    open class var main: UIScreen { single }
    private static let single = UIScreen()
    /// Nothing.
    open var bounds: CGRect { .zero }
    /// 1.
    open var scale: CGFloat { 1 }
}

/// The style of an interface.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Unknown.
    case unspecified = 0
    /// Dark on light.
    case light = 1
    /// Light on dark.
    case dark = 2
}

/// A piece of an interface.
@preconcurrency @MainActor open class UIView: NSObject {
    /// Where it is.
    open var frame: CGRect
    /// Where its own parts are.
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    /// Whether it is not to be seen.
    open var isHidden = false
    /// Its opacity, 0 to 1.
    open var alpha: CGFloat = 1
    /// The color of its background.
    open var backgroundColor: UIColor?
    /// The colour of what can be used.
    open var tintColor: UIColor! = UIColor.tintColor
    /// A number of the application's own.
    open var tag = 0
    /// Whether it can be used.
    open var isUserInteractionEnabled = true
    /// Whether its frame makes constraints.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// Its parts, the hindmost first.
    open private(set) var subviews: [UIView] = []
    /// The view that contains it.
    open private(set) weak var superview: UIView?
    /// Kept; there is nothing to be seen.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// Makes a view of no size.
    public override convenience init() { self.init(frame: .zero) }
    /// - Parameter frame: where it is.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }
    /// Makes another view a part of it, the foremost.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }
    /// Makes it a part of nothing.
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
    /// Called on iOS to place its parts.
    open func layoutSubviews() {}
    /// Does nothing.
    open func setNeedsLayout() {}
    /// Does nothing.
    open func layoutIfNeeded() {}
    /// Does nothing.
    open func setNeedsDisplay() {}
}

/// Controls a view.
@preconcurrency @MainActor open class UIViewController: NSObject {
    /// Its view.
    open var view: UIView! = UIView()
    /// Its title.
    open var title: String?
    /// Kept; there is nothing to be seen.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// Its item in a navigation bar.
    public private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    /// The stack that it is in.
    open internal(set) weak var navigationController: UINavigationController?
    /// The presented controller: none.
    open var presentedViewController: UIViewController? { nil }
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
    /// Called on iOS before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called on iOS after the view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called on iOS when the view's parts have been placed.
    open func viewDidLayoutSubviews() {}
    /// Shows nothing, and is done at once.
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        Screen.isMissing(for: type(of: controller))
        completion?()
    }
    /// Nothing is shown: is done at once.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) { completion?() }
}

/// Controls a stack of controllers.
open class UINavigationController: UIViewController {
    /// The stack, from the bottom.
    open var viewControllers: [UIViewController] = [] {
        didSet { for controller in viewControllers { controller.navigationController = self } }
    }
    /// The bar.
    public let navigationBar = UINavigationBar()
    /// Whether the bar is not to be seen.
    open var isNavigationBarHidden = false
    /// The top of the stack.
    open var topViewController: UIViewController? { viewControllers.last }
    /// - Parameter rootViewController: the bottom of the stack.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        viewControllers = [rootViewController]
        rootViewController.navigationController = self  // what an initializer sets is not observed
    }
    /// - Parameters:
    ///   - nibNameOrNil: of no effect.
    ///   - nibBundleOrNil: of no effect.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    /// Pushes a controller onto the stack.
    open func pushViewController(_ controller: UIViewController, animated: Bool) { viewControllers.append(controller) }
    /// Takes the top from the stack, but not the bottom.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        viewControllers.count > 1 ? viewControllers.removeLast() : nil
    }
    /// Takes all but the bottom from the stack.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        defer { viewControllers = Array(viewControllers.prefix(1)) }
        return Array(viewControllers.dropFirst())
    }
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
