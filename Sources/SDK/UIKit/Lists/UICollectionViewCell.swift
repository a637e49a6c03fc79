/// A view of a collection that is used for one thing after the other.
open class UICollectionReusableView: UIView {
    /// Its reuse identifier.
    open internal(set) var reuseIdentifier: String?
    /// Called on iOS before it is used again.
    open func prepareForReuse() {}
    /// Called on iOS with its place.
    open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}
}

/// A cell of a collection. Stores its values.
open class UICollectionViewCell: UICollectionReusableView {
    /// What its own views are in.
    public let contentView = UIView()
    /// Whether it is chosen.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false
    /// The view behind it.
    open var backgroundView: UIView?
    /// The view behind it when it is chosen.
    open var selectedBackgroundView: UIView?
    /// What it shows, in one value.
    open var contentConfiguration: (any UIContentConfiguration)?
    /// Its background, in one value.
    open var backgroundConfiguration: UIBackgroundConfiguration?
}

/// A cell of a collection that looks like a list.
open class UICollectionViewListCell: UICollectionViewCell {
    /// Steps by which it is set in.
    open var indentationLevel = 0
    /// A configuration without contents.
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}
