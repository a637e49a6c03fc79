/// A header or a footer of a table. Stores its values.
open class UITableViewHeaderFooterView: UIView {
    /// Its text.
    public let textLabel: UILabel? = UILabel()
    /// What its own views are in.
    public let contentView = UIView()
    /// Its reuse identifier.
    public let reuseIdentifier: String?
    /// What it shows, in one value.
    open var contentConfiguration: (any UIContentConfiguration)?
    /// Its background, in one value.
    open var backgroundConfiguration: UIBackgroundConfiguration?
    /// - Parameter reuseIdentifier: its reuse identifier.
    public init(reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) {
        self.init(reuseIdentifier: nil)
        self.frame = frame
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        reuseIdentifier = nil
        super.init(coder: coder)
    }
    /// A configuration without contents.
    open func defaultContentConfiguration() -> UIListContentConfiguration { .groupedHeader() }
    /// Called on iOS before it is used again.
    open func prepareForReuse() {}
}
