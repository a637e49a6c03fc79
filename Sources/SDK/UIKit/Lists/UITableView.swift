/// A table. It never requests cells: a worker has no screen.
open class UITableView: UIScrollView {
    /// Its style.
    public enum Style: Int, Sendable {
        /// One list.
        case plain = 0
        /// Several.
        case grouped = 1
        /// Several, set in.
        case insetGrouped = 2
    }
    /// How it changes.
    public enum RowAnimation: Int, Sendable {
        /// Slowly.
        case fade = 0
        /// At once.
        case none = 5
        /// From the right.
        case right = 1
        /// From the left.
        case left = 2
        /// From above.
        case top = 3
        /// From below.
        case bottom = 4
        /// From the middle.
        case middle = 6
        /// As it likes.
        case automatic = 100
    }
    /// Its style.
    public let style: Style
    /// Where a row is to be scrolled to.
    public enum ScrollPosition: Int, Sendable {
        /// Where it is nearest.
        case none = 0
        /// To the top.
        case top = 1
        /// To the middle.
        case middle = 2
        /// To the bottom.
        case bottom = 3
    }
    /// The lines between rows.
    public enum SeparatorStyle: Int, Sendable {
        /// None.
        case none = 0
        /// Single.
        case singleLine = 1
    }
    /// Stands for the height that a row needs.
    public class var automaticDimension: CGFloat { -1 }
    /// The source of its rows: asked for their numbers alone.
    open weak var dataSource: (any UITableViewDataSource)?
    /// Its delegate: never called.
    open var delegate: (any UITableViewDelegate)? {
        get { anyDelegate as? any UITableViewDelegate }
        set { anyDelegate = newValue }
    }
    /// Points of a row. Kept.
    open var rowHeight = UITableView.automaticDimension
    /// Points of a row that was not seen. Kept.
    open var estimatedRowHeight = UITableView.automaticDimension
    /// Points of a header. Kept.
    open var sectionHeaderHeight = UITableView.automaticDimension
    /// Points of a footer. Kept.
    open var sectionFooterHeight = UITableView.automaticDimension
    /// Points of a header that was not seen. Kept.
    open var estimatedSectionHeaderHeight = UITableView.automaticDimension
    /// Points above the first header. Kept.
    open var sectionHeaderTopPadding = UITableView.automaticDimension
    /// The lines between rows.
    open var separatorStyle = SeparatorStyle.singleLine
    /// The colour of the lines between rows.
    open var separatorColor: UIColor?
    /// The distances around the lines between rows.
    open var separatorInset = UIEdgeInsets(top: 0, left: 15, bottom: 0, right: 0)
    /// The view behind it.
    open var backgroundView: UIView?
    /// Whether rows can be chosen.
    open var allowsSelection = true
    /// Whether several rows can be chosen.
    open var allowsMultipleSelection = false
    /// Whether rows can be chosen while they are edited.
    open var allowsSelectionDuringEditing = false
    /// Whether its rows are edited.
    open var isEditing = false
    /// The rows that the application chose, in the order in which it did; nil when there are none.
    open private(set) var indexPathsForSelectedRows: [IndexPath]?
    /// The row that the application chose.
    open var indexPathForSelectedRow: IndexPath? { indexPathsForSelectedRows?.first }
    /// The rows that are seen: none.
    open var indexPathsForVisibleRows: [IndexPath]? { [] }
    /// The cells that are seen: none.
    open var visibleCells: [UITableViewCell] { [] }
    private var cells = CellClasses()
    private var headers = CellClasses()
    /// The view below it.
    open var tableFooterView: UIView?
    /// The view above it.
    open var tableHeaderView: UIView?
    /// - Parameters:
    ///   - frame: where it is.
    ///   - style: its style.
    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }
    /// Does nothing.
    open func reloadData() {}
    /// Does nothing.
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    /// Does nothing.
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    /// Does nothing.
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    /// Does nothing.
    open func beginUpdates() {}
    /// Does nothing.
    open func endUpdates() {}
    /// Does nothing.
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    /// Does nothing.
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}
    /// Does nothing.
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    /// Does nothing.
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    /// Calls both handlers at once.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    /// Keeps whether rows are edited.
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    /// Does nothing.
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}
    /// Chooses a row; nil for none.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        guard let indexPath else { return indexPathsForSelectedRows = nil }
        let others = allowsMultipleSelection ? (indexPathsForSelectedRows ?? []).filter { $0 != indexPath } : []
        indexPathsForSelectedRows = others + [indexPath]
    }
    /// No longer chooses a row.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        indexPathsForSelectedRows?.removeAll { $0 == indexPath }
        if indexPathsForSelectedRows?.isEmpty == true { indexPathsForSelectedRows = nil }
    }
    /// How many sections the data source has; 0 without one.
    open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }
    /// How many rows a section of the data source has; 0 without one.
    open func numberOfRows(inSection section: Int) -> Int {
        dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
    }
    /// Has cells of an identifier made of a class.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        cells.register(cellClass, for: identifier)
    }
    /// Does nothing: a plugin has no nib files.
    open func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {}
    /// Has headers and footers of an identifier made of a class.
    open func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
        headers.register(aClass, for: identifier)
    }
    /// A new cell, of the class that was registered; a plain one for another identifier, which is a fault on iOS.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        dequeueReusableCell(withIdentifier: identifier)
            ?? UITableViewCell(style: .default, reuseIdentifier: identifier)
    }
    /// A new cell, of the class that was registered; nil for another identifier.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        let cell: UITableViewCell? = cells.make(identifier)
        cell?.reuseIdentifier = identifier
        return cell
    }
    /// A new header or footer, of the class that was registered; nil for another identifier.
    open func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
        headers.make(identifier)
    }
    /// None.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { nil }
    /// None.
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { nil }
    /// None.
    open func indexPathForRow(at point: CGPoint) -> IndexPath? { nil }
}
