/// Gives a table its rows.
@preconcurrency @MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    /// How many rows a section has.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    /// The cell of a row.
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    /// How many sections there are.
    func numberOfSections(in tableView: UITableView) -> Int
    /// The title of a section.
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
}

extension UITableViewDataSource {
    /// 1.
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    /// Nothing.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
}

/// Callbacks for the user's actions in a table: none.
@preconcurrency @MainActor public protocol UITableViewDelegate: NSObjectProtocol {
    /// Never called.
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    /// Never called.
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
}

extension UITableViewDelegate {
    /// Does nothing.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    /// The automatic height.
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat { -1 }
}

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
    }
    /// Its text.
    public let textLabel: UILabel? = UILabel()
    /// Its second text.
    public let detailTextLabel: UILabel? = UILabel()
    /// Its reuse identifier.
    public let reuseIdentifier: String?
    /// The control at its end.
    open var accessoryType = AccessoryType.none
    /// What its own views are in.
    public let contentView = UIView()
    /// - Parameters:
    ///   - style: its style.
    ///   - reuseIdentifier: its reuse identifier.
    public init(style: CellStyle, reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) { self.init(style: .default, reuseIdentifier: nil) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        reuseIdentifier = nil
        super.init(coder: coder)
    }
    /// Called on iOS before it shows another row.
    open func prepareForReuse() {}
}

/// A table. It never requests its rows.
open class UITableView: UIView {
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
        /// As it likes.
        case automatic = 100
    }
    /// Its style.
    public let style: Style
    /// The source of its rows: never called.
    open weak var dataSource: (any UITableViewDataSource)?
    /// Its delegate: never called.
    open weak var delegate: (any UITableViewDelegate)?
    /// Kept.
    open var rowHeight: CGFloat = -1
    /// The selected row: none.
    open var indexPathForSelectedRow: IndexPath? { nil }
    /// The view below it.
    open var tableFooterView: UIView?
    /// The view above it.
    open var tableHeaderView: UIView?
    /// - Parameters:
    ///   - frame: where it is.
    ///   - style: its style.
    public init(frame: CGRect, style: Style) {
        self.style = style
        Screen.isMissing(for: UITableView.self)
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
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}
    /// Does nothing.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    /// A new cell.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell(style: .default, reuseIdentifier: identifier)
    }
    /// None.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? { nil }
    /// None.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { nil }
}

/// Sections and rows.
extension IndexPath {
    /// A row of a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    /// The row.
    public var row: Int { self[1] }
    /// The section.
    public var section: Int { self[0] }
    /// The same as the row.
    public var item: Int { self[1] }
}
