/// A row of a table. Stores its values.
open class UITableViewCell: UIView {
    /// Its style.
    public enum CellStyle: Int, Sendable {
        /// One text.
        case `default` = 0
        /// Two, left and right.
        case value1 = 1
        /// Two, left and right, smaller.
        case value2 = 2
        /// Two, one below the other.
        case subtitle = 3
    }
    /// How it can be edited.
    public enum EditingStyle: Int, Sendable {
        /// Not.
        case none = 0
        /// It can be deleted.
        case delete = 1
        /// One can be inserted there.
        case insert = 2
    }
    /// How it looks when it is chosen.
    public enum SelectionStyle: Int, Sendable {
        /// As always.
        case none = 0
        /// Blue.
        case blue = 1
        /// Grey.
        case gray = 2
        /// As the system likes.
        case `default` = 3
    }
    /// The control at its end.
    public enum AccessoryType: Int, Sendable {
        /// Nothing.
        case none = 0
        /// There is more behind it.
        case disclosureIndicator = 1
        /// There is more behind it, and about it.
        case detailDisclosureButton = 2
        /// It is chosen.
        case checkmark = 3
        /// There is more about it.
        case detailButton = 4
    }
    /// Its text.
    public let textLabel: UILabel? = UILabel()
    /// Its second text.
    public let detailTextLabel: UILabel? = UILabel()
    /// Its reuse identifier.
    open internal(set) var reuseIdentifier: String?
    /// Its picture.
    public let imageView: UIImageView? = UIImageView(frame: .zero)
    /// The control at its end.
    open var accessoryType = AccessoryType.none
    /// The view at its end.
    open var accessoryView: UIView?
    /// How it looks when it is chosen.
    open var selectionStyle = SelectionStyle.default
    /// Whether it is chosen.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false
    /// Whether it is being edited.
    open var isEditing = false
    /// The distances around the line below it.
    open var separatorInset = UIEdgeInsets.zero
    /// The view behind it.
    open var backgroundView: UIView?
    /// The view behind it when it is chosen.
    open var selectedBackgroundView: UIView?
    /// What it shows, in one value.
    open var contentConfiguration: (any UIContentConfiguration)?
    /// Its background, in one value.
    open var backgroundConfiguration: UIBackgroundConfiguration?
    /// A configuration of its style, without contents.
    open func defaultContentConfiguration() -> UIListContentConfiguration {
        switch style {
        case .default: .cell()
        case .value1, .value2: .valueCell()
        case .subtitle: .subtitleCell()
        }
    }
    /// Called on iOS when it is chosen, or no longer. Keeps the value.
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
    /// Called on iOS when a finger comes on it, or leaves it. Keeps the value.
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }
    private let style: CellStyle
    /// What its own views are in.
    public let contentView = UIView()
    /// - Parameters:
    ///   - style: its style.
    ///   - reuseIdentifier: its reuse identifier.
    public init(style: CellStyle, reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        self.style = style
        super.init(frame: .zero)
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) { self.init(style: .default, reuseIdentifier: nil) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        style = .default
        super.init(coder: coder)
    }
    /// Called on iOS before it shows another row.
    open func prepareForReuse() {}
}
