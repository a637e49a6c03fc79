/// Controls a view.
@preconcurrency @MainActor open class UIViewController: NSObject {
    private var madeView: UIView?
    /// Its view. It is made by `loadView()` when it is first used, and `viewDidLoad()` is called then; nothing else
    /// uses it.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return madeView
        }
        set { madeView = newValue }
    }
    /// Its view, if it was made.
    open var viewIfLoaded: UIView? { madeView }
    /// Whether its view was made.
    open var isViewLoaded: Bool { madeView != nil }
    /// Its title.
    open var title: String?
    /// Kept; there is nothing to be seen.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// The circumstances of its interface: unspecified.
    open var traitCollection: UITraitCollection { .none }
    /// Its item in a navigation bar.
    public private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    /// The stack that it is in.
    open internal(set) weak var navigationController: UINavigationController?
    /// The controller that contains it.
    open internal(set) weak var parent: UIViewController?
    /// The controllers that it contains.
    open internal(set) var children: [UIViewController] = []
    /// The presented controller: none.
    open var presentedViewController: UIViewController? { nil }
    /// The controller that presents it: none.
    open var presentingViewController: UIViewController? { nil }
    /// How it would be presented.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// How it would come and go.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// Whether the user cannot send it away.
    open var isModalInPresentation = false
    /// The size that it would like.
    open var preferredContentSize = CGSize.zero
    /// Whether it is being edited.
    open var isEditing = false
    /// What is in the bar below.
    open var toolbarItems: [UIBarButtonItem]?
    /// Whether the bar below goes away for it.
    open var hidesBottomBarWhenPushed = false
    /// The edges up to which it reaches.
    open var edgesForExtendedLayout = UIRectEdge.all
    /// The storyboard that it comes from: none.
    open var storyboard: UIStoryboard? { nil }
    /// The name of the file that it comes from. Kept.
    public let nibName: String?
    /// The bundle of that file. Kept.
    public let nibBundle: Bundle?
    /// - Parameters:
    ///   - nibNameOrNil: kept; a plugin has no such files.
    ///   - nibBundleOrNil: kept.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        (nibName, nibBundle) = (nibNameOrNil, nibBundleOrNil)
        super.init()
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        (nibName, nibBundle) = (nil, nil)
        super.init()
    }
    /// Makes a controller.
    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// Makes the view: an empty one, unless a subclass makes another.
    open func loadView() { view = UIView() }
    /// Makes the view, if it was not made.
    open func loadViewIfNeeded() {
        guard madeView == nil else { return }
        loadView()
        if madeView != nil { viewDidLoad() }
    }
    /// Called when the view has been made.
    open func viewDidLoad() {}
    /// Called on iOS when the view is about to be seen.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called on iOS when the view is coming to be seen, and is in its place.
    open func viewIsAppearing(_ animated: Bool) {}
    /// Called on iOS when the view is seen.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called on iOS before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called on iOS after the view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called on iOS before the view's parts are placed.
    open func viewWillLayoutSubviews() {}
    /// Called on iOS when the view's parts have been placed.
    open func viewDidLayoutSubviews() {}
    /// Called on iOS to set the view's constraints.
    open func updateViewConstraints() {}
    /// Called on iOS when memory is short.
    open func didReceiveMemoryWarning() {}
    /// Called on iOS when the circumstances of its interface change.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Called before another controller contains it, or none (nil).
    open func willMove(toParent parent: UIViewController?) {}
    /// Called by the application when another controller contains it; by this class when none does any more.
    open func didMove(toParent parent: UIViewController?) {}
    /// Contains another controller.
    open func addChild(_ childController: UIViewController) {
        guard childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }
    /// Is contained by none.
    open func removeFromParent() {
        guard let old = parent else { return }
        old.children.removeAll { $0 === self }
        parent = nil
        didMove(toParent: nil)
    }
    /// Keeps whether it is being edited; its button has the title that belongs to that.
    open func setEditing(_ editing: Bool, animated: Bool) {
        isEditing = editing
        editButtonItem.title = editing ? "Done" : "Edit"
    }
    /// A button that begins and ends editing: its action calls `setEditing(_:animated:)`. No user chooses it.
    public private(set) lazy var editButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: "Edit") { [weak self] _ in
            guard let self else { return }
            setEditing(!isEditing, animated: true)
        })
    /// Shows nothing, and is done at once.
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        Screen.isMissing(for: type(of: controller))
        completion?()
    }
    /// Nothing is shown: is done at once.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) { completion?() }
    /// Pushes a controller onto the stack that this one is in; without one it shows nothing.
    open func show(_ vc: UIViewController, sender: Any?) {
        navigationController?.pushViewController(vc, animated: true)
    }
    /// Does nothing: there are no storyboards.
    open func performSegue(withIdentifier identifier: String, sender: Any?) { Storyboards.areMissing() }
    /// Called on iOS before a storyboard shows another controller.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    /// Called on iOS to ask whether a storyboard shows another controller.
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
    /// Called on iOS to build the menus.
    open func buildMenu(with builder: any UIMenuBuilder) {}
    /// Whether keys could go to it: not unless a subclass says so.
    open var canBecomeFirstResponder: Bool { false }
    /// False: there are no keys.
    @discardableResult open func becomeFirstResponder() -> Bool { false }
    /// True: no keys go to it.
    @discardableResult open func resignFirstResponder() -> Bool { true }
    /// The orientations that it takes: all but on its head.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    /// Whether it turns with the screen.
    open var shouldAutorotate: Bool { true }
    /// How the bar with the clock looks.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    /// Whether the bar with the clock is away.
    open var prefersStatusBarHidden: Bool { false }
    /// Does nothing.
    open func setNeedsStatusBarAppearanceUpdate() {}
}
