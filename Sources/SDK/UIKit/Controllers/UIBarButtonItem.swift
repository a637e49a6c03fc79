/// A button of a bar. Stores its values.
@preconcurrency @MainActor open class UIBarButtonItem: NSObject {
    /// Buttons that all applications have.
    public enum SystemItem: Int, Sendable {
        /// Done.
        case done = 0
        /// Cancelled.
        case cancel = 1
        /// To be edited.
        case edit = 2
        /// To be kept.
        case save = 3
        /// One more.
        case add = 4
        /// Room that grows.
        case flexibleSpace = 5
        /// Room that does not grow.
        case fixedSpace = 6
        /// To be written.
        case compose = 7
        /// To be answered.
        case reply = 8
        /// To be shared.
        case action = 9
        /// To be sorted.
        case organize = 10
        /// Marked.
        case bookmarks = 11
        /// To be looked for.
        case search = 12
        /// To be read again.
        case refresh = 13
        /// To be stopped.
        case stop = 14
        /// A picture to be taken.
        case camera = 15
        /// To be thrown away.
        case trash = 16
        /// To be played.
        case play = 17
        /// To be interrupted.
        case pause = 18
        /// To be gone back over.
        case rewind = 19
        /// To be skipped.
        case fastForward = 20
        /// To be taken back.
        case undo = 21
        /// To be done again.
        case redo = 22
        /// To be closed.
        case close = 24
    }
    /// How it looks.
    public enum Style: Int, Sendable {
        /// Usual.
        case plain = 0
        /// It ends something.
        case done = 2
    }
    /// Its title.
    open var title: String?
    /// Its picture.
    open var image: UIImage?
    /// Its colour.
    open var tintColor: UIColor?
    /// Whether it can be used.
    open var isEnabled = true
    /// How it looks.
    open var style = Style.plain
    /// Its width; 0 for what it needs.
    open var width: CGFloat = 0
    /// A number of the application's own.
    open var tag = 0
    /// What it is shown by.
    open var customView: UIView?
    /// What it does: no user chooses it.
    open var primaryAction: UIAction?
    /// Its menu: never shown.
    open var menu: UIMenu?
    /// Kept.
    open var accessibilityIdentifier: String?
    /// Kept.
    open var accessibilityLabel: String?

    /// Makes one of no title.
    public override convenience init() { self.init(title: nil) }
    /// - Parameters:
    ///   - title: its title.
    ///   - image: its picture.
    ///   - primaryAction: what it does; its title and picture are the button's when those are nil.
    ///   - menu: its menu.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
        (self.primaryAction, self.menu) = (primaryAction, menu)
        super.init()
    }
    /// - Parameters:
    ///   - systemItem: the button that all applications have: of no effect, it has no title.
    ///   - primaryAction: what it does.
    ///   - menu: its menu.
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.init(title: nil, image: nil, primaryAction: primaryAction, menu: menu)
    }
    /// - Parameter customView: what it is shown by.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }
    /// Room that grows.
    public class func flexibleSpace() -> UIBarButtonItem { UIBarButtonItem(systemItem: .flexibleSpace) }
    /// Room of so many points.
    public class func fixedSpace(_ width: CGFloat) -> UIBarButtonItem {
        let space = UIBarButtonItem(systemItem: .fixedSpace)
        space.width = width
        return space
    }
}
