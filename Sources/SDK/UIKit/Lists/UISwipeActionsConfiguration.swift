/// Something that can be done with a row by moving it aside: never done.
@preconcurrency @MainActor open class UIContextualAction: NSObject {
    /// What does it; it calls the handler with whether it has.
    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
    /// How it looks.
    public enum Style: Int, Sendable {
        /// Usual.
        case normal = 0
        /// It may destroy something.
        case destructive = 1
    }
    /// How it looks.
    public let style: Style
    /// What does it: called by the application alone.
    public let handler: Handler
    /// Its title.
    open var title: String?
    /// The color of its background.
    open var backgroundColor: UIColor!
    /// Its picture.
    open var image: UIImage?
    /// - Parameters:
    ///   - style: how it looks.
    ///   - title: its title.
    ///   - handler: what does it.
    public init(style: Style, title: String?, handler: @escaping Handler) {
        (self.style, self.title, self.handler) = (style, title, handler)
        super.init()
    }
}

/// What can be done with a row by moving it aside: never done.
@preconcurrency @MainActor open class UISwipeActionsConfiguration: NSObject {
    /// What can be done.
    public let actions: [UIContextualAction]
    /// Whether the first is done when the row is moved all the way.
    open var performsFirstActionWithFullSwipe = true
    /// - Parameter actions: what can be done.
    public init(actions: [UIContextualAction]) {
        self.actions = actions
        super.init()
    }
}
