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
