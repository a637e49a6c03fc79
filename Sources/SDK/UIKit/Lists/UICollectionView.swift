/// A collection of items. It never requests cells: a worker has no screen.
open class UICollectionView: UIScrollView {
    /// The direction in which it can be scrolled.
    public enum ScrollDirection: Int, Sendable {
        /// Up and down.
        case vertical = 0
        /// Sideways.
        case horizontal = 1
    }
    /// Where an item is to be scrolled to.
    public struct ScrollPosition: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// To the top.
        public static let top = ScrollPosition(rawValue: 1)
        /// To the middle, from top to bottom.
        public static let centeredVertically = ScrollPosition(rawValue: 2)
        /// To the bottom.
        public static let bottom = ScrollPosition(rawValue: 4)
        /// To the left.
        public static let left = ScrollPosition(rawValue: 8)
        /// To the middle, from left to right.
        public static let centeredHorizontally = ScrollPosition(rawValue: 16)
        /// To the right.
        public static let right = ScrollPosition(rawValue: 32)
    }
    /// The kind of headers.
    public nonisolated class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
    /// The kind of footers.
    public nonisolated class var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }

    /// How its items would be placed.
    open var collectionViewLayout: UICollectionViewLayout { didSet { collectionViewLayout.collectionView = self } }
    /// The source of its items: asked for their numbers alone.
    open weak var dataSource: (any UICollectionViewDataSource)?
    /// Its delegate: never called.
    open var delegate: (any UICollectionViewDelegate)? {
        get { anyDelegate as? any UICollectionViewDelegate }
        set { anyDelegate = newValue }
    }
    /// The view behind it.
    open var backgroundView: UIView?
    /// Whether items can be chosen.
    open var allowsSelection = true
    /// Whether several items can be chosen.
    open var allowsMultipleSelection = false
    /// Whether its items are edited.
    open var isEditing = false
    /// The items that the application chose, in the order in which it did; nil when there are none.
    open private(set) var indexPathsForSelectedItems: [IndexPath]?
    /// The items that are seen: none.
    open var indexPathsForVisibleItems: [IndexPath] { [] }
    /// The cells that are seen: none.
    open var visibleCells: [UICollectionViewCell] { [] }
    private var cells = CellClasses()
    private var supplements: [String: CellClasses] = [:]

    /// - Parameters:
    ///   - frame: where it is.
    ///   - layout: how its items would be placed.
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init(frame: frame)
        layout.collectionView = self
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) {
        self.init(frame: frame, collectionViewLayout: UICollectionViewFlowLayout())
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        collectionViewLayout = UICollectionViewFlowLayout()
        super.init(coder: coder)
    }

    /// Keeps another layout, and is done at once.
    open func setCollectionViewLayout(
        _ layout: UICollectionViewLayout, animated: Bool, completion: ((Bool) -> Void)? = nil
    ) {
        collectionViewLayout = layout
        completion?(true)
    }
    /// Does nothing.
    open func reloadData() {}
    /// Does nothing.
    open func reloadItems(at indexPaths: [IndexPath]) {}
    /// Does nothing.
    open func insertItems(at indexPaths: [IndexPath]) {}
    /// Does nothing.
    open func deleteItems(at indexPaths: [IndexPath]) {}
    /// Does nothing.
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    /// Does nothing.
    open func reloadSections(_ sections: IndexSet) {}
    /// Does nothing.
    open func insertSections(_ sections: IndexSet) {}
    /// Does nothing.
    open func deleteSections(_ sections: IndexSet) {}
    /// Calls both handlers at once.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    /// Does nothing.
    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}
    /// Chooses an item; nil for none.
    open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        guard let indexPath else { return indexPathsForSelectedItems = nil }
        let others = allowsMultipleSelection ? (indexPathsForSelectedItems ?? []).filter { $0 != indexPath } : []
        indexPathsForSelectedItems = others + [indexPath]
    }
    /// No longer chooses an item.
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {
        indexPathsForSelectedItems?.removeAll { $0 == indexPath }
        if indexPathsForSelectedItems?.isEmpty == true { indexPathsForSelectedItems = nil }
    }
    /// How many sections the data source has; 0 without one.
    open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
    /// How many items a section of the data source has; 0 without one.
    open func numberOfItems(inSection section: Int) -> Int {
        dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
    }
    /// None.
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { nil }
    /// None.
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { nil }
    /// None.
    open func indexPathForItem(at point: CGPoint) -> IndexPath? { nil }

    /// Has cells of an identifier made of a class.
    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
        cells.register(cellClass, for: identifier)
    }
    /// Does nothing: a plugin has no nib files.
    open func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {}
    /// Has headers, footers or other views beside the cells made of a class.
    open func register(
        _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
        withReuseIdentifier identifier: String
    ) { supplements[elementKind, default: CellClasses()].register(viewClass, for: identifier) }
    /// A new cell, of the class that was registered; a plain one for another identifier, which is a fault on iOS.
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = cells.make(identifier) ?? UICollectionViewCell()
        cell.reuseIdentifier = identifier
        return cell
    }
    /// A new view, of the class that was registered; a plain one for another identifier, which is a fault on iOS.
    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView {
        let view = supplements[elementKind]?.make(identifier) ?? UICollectionReusableView()
        view.reuseIdentifier = identifier
        return view
    }
}
