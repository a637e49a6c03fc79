/// A button. Stores its values, and calls its actions as other controls do.
open class UIButton: UIControl {
    /// The kind of a button.
    public enum ButtonType: Int, Sendable {
        /// As the application says.
        case custom = 0
        /// As the system likes.
        case system = 1
        /// There is more to read.
        case detailDisclosure = 2
        /// Information, light.
        case infoLight = 3
        /// Information, dark.
        case infoDark = 4
        /// One more.
        case contactAdd = 5
        /// To be closed.
        case close = 7
    }
    /// What sets the configuration when the state changes.
    public typealias ConfigurationUpdateHandler = (UIButton) -> Void

    /// Its kind.
    open private(set) var buttonType = ButtonType.custom
    /// How it looks, in one value.
    open var configuration: Configuration?
    /// Called by `updateConfiguration()`, and by nothing else.
    open var configurationUpdateHandler: ConfigurationUpdateHandler?
    /// Kept.
    open var automaticallyUpdatesConfiguration = true
    /// Its menu: never shown.
    open var menu: UIMenu?
    /// Whether it changes between on and off.
    open var changesSelectionAsPrimaryAction = false
    /// The distances around the contents.
    open var contentEdgeInsets = UIEdgeInsets.zero
    /// The distances around the title.
    open var titleEdgeInsets = UIEdgeInsets.zero
    /// The distances around the picture.
    open var imageEdgeInsets = UIEdgeInsets.zero
    /// What its title is shown in. Its text is the application's own business.
    public private(set) lazy var titleLabel: UILabel? = UILabel()
    /// What its picture is shown in.
    public private(set) lazy var imageView: UIImageView? = UIImageView(frame: .zero)
    private var titles: [State: String] = [:]
    private var attributedTitles: [State: NSAttributedString] = [:]
    private var colors: [State: UIColor] = [:]
    private var images: [State: UIImage] = [:]
    private var backgrounds: [State: UIImage] = [:]

    /// - Parameters:
    ///   - type: its kind.
    ///   - primaryAction: called for the event `primaryActionTriggered`; its title and picture are the button's.
    public convenience init(type: ButtonType = .system, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        buttonType = type
        take(primaryAction)
    }
    /// - Parameters:
    ///   - configuration: how it looks.
    ///   - primaryAction: called for the event `primaryActionTriggered`; its title and picture are the configuration's
    ///     when that has none.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        buttonType = .system
        self.configuration = configuration
        take(primaryAction)
    }

    private func take(_ action: UIAction?) {
        guard let action else { return }
        if configuration == nil {
            if !action.title.isEmpty { setTitle(action.title, for: .normal) }
            setImage(action.image, for: .normal)
        } else {
            if configuration?.title == nil, !action.title.isEmpty { configuration?.title = action.title }
            if configuration?.image == nil { configuration?.image = action.image }
        }
    }

    /// Keeps the title of a state.
    open func setTitle(_ title: String?, for state: State) { titles[state] = title }
    /// Keeps the title of a state, with its attributes.
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) { attributedTitles[state] = title }
    /// Keeps the colour of the title in a state.
    open func setTitleColor(_ color: UIColor?, for state: State) { colors[state] = color }
    /// Keeps the picture of a state.
    open func setImage(_ image: UIImage?, for state: State) { images[state] = image }
    /// Keeps the picture behind the contents of a state.
    open func setBackgroundImage(_ image: UIImage?, for state: State) { backgrounds[state] = image }
    /// The title of a state; that of `normal` when the state has none.
    open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }
    /// The title of a state, with its attributes; that of `normal` when the state has none.
    open func attributedTitle(for state: State) -> NSAttributedString? {
        attributedTitles[state] ?? attributedTitles[.normal]
    }
    /// The colour of the title in a state; that of `normal` when the state has none.
    open func titleColor(for state: State) -> UIColor? { colors[state] ?? colors[.normal] }
    /// The picture of a state; that of `normal` when the state has none.
    open func image(for state: State) -> UIImage? { images[state] ?? images[.normal] }
    /// The picture behind the contents of a state; that of `normal` when the state has none.
    open func backgroundImage(for state: State) -> UIImage? { backgrounds[state] ?? backgrounds[.normal] }
    /// The title of its state.
    open var currentTitle: String? { title(for: state) }
    /// The picture of its state.
    open var currentImage: UIImage? { image(for: state) }
    /// The colour of the title in its state.
    open var currentTitleColor: UIColor { titleColor(for: state) ?? .white }
    /// Does nothing.
    open func setNeedsUpdateConfiguration() {}
    /// Calls `configurationUpdateHandler`.
    open func updateConfiguration() { configurationUpdateHandler?(self) }
}
