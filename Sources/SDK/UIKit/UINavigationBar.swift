/// Something to be done from an interface: nobody does it.
open class UIAction: NSObject, @unchecked Sendable {  // immutable
    /// What it is called.
    public let title: String
    /// - Parameters:
    ///   - title: what it is called.
    ///   - image: of no effect.
    ///   - handler: never called.
    public init(title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void) { self.title = title }
}

/// A list of things to be done: never shown.
open class UIMenu: NSObject, @unchecked Sendable {  // immutable
    /// What it is called.
    public let title: String
    /// - Parameters:
    ///   - title: what it is called.
    ///   - children: of no effect.
    public init(title: String = "", children: [UIAction] = []) { self.title = title }
}

/// A button of a bar. Keeps what it is given.
open class UIBarButtonItem: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// What it is called.
    open var title: String?
    /// Its picture.
    open var image: UIImage?
    /// Its colour.
    open var tintColor: UIColor?
    /// Whether it can be used.
    open var isEnabled = true
    /// - Parameters:
    ///   - title: what it is called.
    ///   - image: its picture.
    ///   - primaryAction: never done.
    ///   - menu: never shown.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.title = title ?? primaryAction?.title
        self.image = image
    }
}

/// What a bar says of a controller. Keeps what it is given.
open class UINavigationItem: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// When a title is large.
    public enum LargeTitleDisplayMode: Int, Sendable {
        /// As for the one before.
        case automatic = 0
        /// Always.
        case always = 1
        /// Never.
        case never = 2
    }
    /// What the controller is called.
    open var title: String?
    /// A line above the title.
    open var prompt: String?
    /// When the title is large.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic
    /// The first button on the right.
    open var rightBarButtonItem: UIBarButtonItem?
    /// The first button on the left.
    open var leftBarButtonItem: UIBarButtonItem?
    /// All on the right.
    open var rightBarButtonItems: [UIBarButtonItem]?
    /// All on the left.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// - Parameter title: what the controller is called.
    public init(title: String) { self.title = title }
}

/// How a bar looks. Keeps what it is given.
open class UINavigationBarAppearance: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// What is behind it.
    open var backgroundColor: UIColor?
    /// How its title is written.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// How its large title is written.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// Does nothing.
    open func configureWithDefaultBackground() {}
    /// Does nothing.
    open func configureWithOpaqueBackground() {}
    /// Does nothing.
    open func configureWithTransparentBackground() {}
}

/// The bar of a stack of controllers. Keeps what it is given.
open class UINavigationBar: UIView {
    private static let common = UINavigationBar(frame: .zero)
    /// What all bars would look like.
    public class func appearance() -> UINavigationBar { common }
    /// How it looks.
    open var standardAppearance = UINavigationBarAppearance()
    /// How it looks at the top of what scrolls.
    open var scrollEdgeAppearance: UINavigationBarAppearance?
    /// How it looks when it is low.
    open var compactAppearance: UINavigationBarAppearance?
    /// Whether titles are large.
    open var prefersLargeTitles = false
    /// Whether something is seen through it.
    open var isTranslucent = true
    /// What is behind it.
    open var barTintColor: UIColor?
    /// How its title is written.
    open var titleTextAttributes: [NSAttributedString.Key: Any]?
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) { super.init(frame: frame) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
