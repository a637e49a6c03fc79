/// A choice in an alert: never chosen.
open class UIAlertAction: NSObject, @unchecked Sendable {  // immutable but for what is kept of no effect
    /// Its style.
    public enum Style: Int, Sendable {
        /// As others.
        case `default` = 0
        /// It cancels the alert.
        case cancel = 1
        /// It may destroy something.
        case destructive = 2
    }
    /// Its title.
    public let title: String?
    /// Its style.
    public let style: Style
    /// Whether it can be chosen.
    open var isEnabled = true
    /// - Parameters:
    ///   - title: its title.
    ///   - style: its style.
    ///   - handler: never called.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
    }
}

/// A question for the user: never asked. Code that waits for the answer waits forever.
open class UIAlertController: UIViewController {
    /// Its style.
    public enum Style: Int, Sendable {
        /// A list at the bottom.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }
    /// The question.
    open var message: String?
    /// Its style.
    open private(set) var preferredStyle = Style.alert
    /// What can be chosen.
    open private(set) var actions: [UIAlertAction] = []
    /// What would be chosen by a key.
    open var preferredAction: UIAlertAction?
    /// - Parameters:
    ///   - title: its title.
    ///   - message: the question.
    ///   - preferredStyle: its style.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        Screen.isMissing(for: UIAlertController.self)
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }
    /// Adds what can be chosen.
    open func addAction(_ action: UIAlertAction) { actions.append(action) }
}
