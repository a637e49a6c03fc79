/// How the items of a collection would be placed: nothing places them.
@preconcurrency @MainActor open class UICollectionViewLayout: NSObject {
    /// The collection that it is the layout of.
    open internal(set) weak var collectionView: UICollectionView?
    /// Makes a layout.
    public override init() { super.init() }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init() }
    /// Called on iOS before the items are placed.
    open func prepare() {}
    /// Does nothing.
    open func invalidateLayout() {}
    /// The size of all: none, unless a subclass says otherwise.
    open var collectionViewContentSize: CGSize { .zero }
    /// The places in a rectangle: none, unless a subclass says otherwise.
    open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
    /// The place of an item: none, unless a subclass says otherwise.
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    /// Whether other bounds need other places. False, unless a subclass says otherwise.
    open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }
}

/// The place of an item. Stores its values.
@preconcurrency @MainActor open class UICollectionViewLayoutAttributes: NSObject {
    /// The item.
    open var indexPath: IndexPath
    /// Where it is.
    open var frame = CGRect.zero
    /// Its opacity, 0 to 1.
    open var alpha: CGFloat = 1
    /// What is in front of what.
    open var zIndex = 0
    /// Whether it is not to be seen.
    open var isHidden = false
    /// - Parameter indexPath: the item.
    public init(forCellWith indexPath: IndexPath) {
        self.indexPath = indexPath
        super.init()
    }
}

/// Items in lines, one line after the other. Stores its values.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
    /// Points between two lines.
    open var minimumLineSpacing: CGFloat = 10
    /// Points between two items of a line.
    open var minimumInteritemSpacing: CGFloat = 10
    /// The size of an item.
    open var itemSize = CGSize(width: 50, height: 50)
    /// The size that an item is thought to have; zero for `itemSize`.
    open var estimatedItemSize = CGSize.zero
    /// The direction in which it can be scrolled.
    open var scrollDirection = UICollectionView.ScrollDirection.vertical
    /// The size of headers.
    open var headerReferenceSize = CGSize.zero
    /// The size of footers.
    open var footerReferenceSize = CGSize.zero
    /// The distances around a section.
    open var sectionInset = UIEdgeInsets.zero
    /// Whether headers stay in sight.
    open var sectionHeadersPinToVisibleBounds = false
    /// Whether footers stay in sight.
    open var sectionFootersPinToVisibleBounds = false
    /// Stands for the size that an item needs.
    public class var automaticSize: CGSize {
        CGSize(width: CGFloat.greatestFiniteMagnitude, height: .greatestFiniteMagnitude)
    }
}
