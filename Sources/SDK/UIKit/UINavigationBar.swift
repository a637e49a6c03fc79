/// An action in an interface: never performed.
open class UIAction: NSObject, @unchecked Sendable {  // immutable
    /// Its title.
    public let title: String
    /// - Parameters:
    ///   - title: its title.
    ///   - image: of no effect.
    ///   - handler: never called.
    public init(title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void) { self.title = title }
}

/// A list of things to be done: never shown.
open class UIMenu: NSObject, @unchecked Sendable {  // immutable
    /// Its title.
    public let title: String
    /// - Parameters:
    ///   - title: its title.
    ///   - children: of no effect.
    public init(title: String = "", children: [UIAction] = []) { self.title = title }
}

/// A button of a bar. Stores its values.
open class UIBarButtonItem: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Its title.
    open var title: String?
    /// Its picture.
    open var image: UIImage?
    /// Its colour.
    open var tintColor: UIColor?
    /// Whether it can be used.
    open var isEnabled = true
    /// - Parameters:
    ///   - title: its title.
    ///   - image: its picture.
    ///   - primaryAction: never done.
    ///   - menu: never shown.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.title = title ?? primaryAction?.title
        self.image = image
    }
}

/// A controller's item in a bar. Stores its values.
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
    /// The controller's title.
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
    /// - Parameter title: the controller's title.
    public init(title: String) { self.title = title }
}

/// The appearance of a bar. Stores its values.
open class UINavigationBarAppearance: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// The color of its background.
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

/// The bar of a stack of controllers. Stores its values.
open class UINavigationBar: UIView {
    private static let common = UINavigationBar(frame: .zero)
    /// The common appearance of all bars.
    public class func appearance() -> UINavigationBar { common }
    /// Its appearance.
    open var standardAppearance = UINavigationBarAppearance()
    /// Its appearance at the top of a scrolled view.
    open var scrollEdgeAppearance: UINavigationBarAppearance?
    /// Its appearance when it is compact.
    open var compactAppearance: UINavigationBarAppearance?
    /// Whether titles are large.
    open var prefersLargeTitles = false
    /// Whether something is seen through it.
    open var isTranslucent = true
    /// The color of its background.
    open var barTintColor: UIColor?
    /// How its title is written.
    open var titleTextAttributes: [NSAttributedString.Key: Any]?
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) { super.init(frame: frame) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
