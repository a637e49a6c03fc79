/// The outermost view. Nothing shows it; the application and its scene list it.
open class UIWindow: UIView {
    /// The controller of its contents.
    open var rootViewController: UIViewController?
    /// The scene that it is part of.
    open weak var windowScene: UIWindowScene? { didSet { WindowList.place(self, in: windowScene) } }
    /// Whether it is not to be seen: until it is shown.
    open override var isHidden: Bool { didSet { WindowList.show(self, !isHidden) } }
    /// Whether it was made key after all other windows.
    open var isKeyWindow: Bool { WindowList.isKey(self) }

    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }
    /// - Parameter windowScene: the scene that it is part of.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
        WindowList.place(self, in: windowScene)  // what an initializer sets is not observed
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isHidden = true
    }

    /// Shows the window, if there were a screen, and makes it key.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }
    /// Makes it the window that would get the keys.
    open func makeKey() { WindowList.makeKey(self) }
}
