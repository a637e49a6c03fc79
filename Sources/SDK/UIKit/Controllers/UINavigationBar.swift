/// A controller's item in a bar. Stores its values.
@preconcurrency @MainActor open class UINavigationItem: NSObject {
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
    /// The title of the button that leads back.
    open var backButtonTitle: String?
    /// The button that leads back.
    open var backBarButtonItem: UIBarButtonItem?
    /// Whether there is no button that leads back.
    open var hidesBackButton = false
    /// What is in the place of the title.
    open var titleView: UIView?
    /// All on the right.
    open var rightBarButtonItems: [UIBarButtonItem]?
    /// All on the left.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// - Parameter title: the controller's title.
    public init(title: String) {
        self.title = title
        super.init()
    }
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
