/// Something that a person can choose in an alert: nobody does.
open class UIAlertAction: NSObject, @unchecked Sendable {  // immutable but for what is kept of no effect
    /// How it looks.
    public enum Style: Int, Sendable {
        /// As others.
        case `default` = 0
        /// It leaves things as they are.
        case cancel = 1
        /// It may destroy something.
        case destructive = 2
    }
    /// What it is called.
    public let title: String?
    /// How it looks.
    public let style: Style
    /// Whether it can be chosen.
    open var isEnabled = true
    /// - Parameters:
    ///   - title: what it is called.
    ///   - style: how it looks.
    ///   - handler: never called.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
    }
}

/// A question to a person: never asked. Whoever waits for the answer waits for ever.
open class UIAlertController: UIViewController {
    /// How it looks.
    public enum Style: Int, Sendable {
        /// A list at the bottom.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }
    /// The question.
    open var message: String?
    /// How it looks.
    open private(set) var preferredStyle = Style.alert
    /// What can be chosen.
    open private(set) var actions: [UIAlertAction] = []
    /// What would be chosen by a key.
    open var preferredAction: UIAlertAction?
    /// - Parameters:
    ///   - title: what it is about.
    ///   - message: the question.
    ///   - preferredStyle: how it looks.
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
