/// Gives a table its rows.
@preconcurrency @MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    /// How many rows a section has.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    /// The cell of a row.
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    /// How many sections there are.
    func numberOfSections(in tableView: UITableView) -> Int
    /// What a section is called.
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
}

extension UITableViewDataSource {
    /// 1.
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    /// Nothing.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
}

/// Hears what a person does with a table: nothing.
@preconcurrency @MainActor public protocol UITableViewDelegate: NSObjectProtocol {
    /// Never called.
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    /// Never called.
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
}

extension UITableViewDelegate {
    /// Does nothing.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    /// As high as it has to be.
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat { -1 }
}

/// A row of a table. Keeps what it is given.
open class UITableViewCell: UIView {
    /// How it looks.
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
    /// What stands at its end.
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
    /// What it is kept by.
    public let reuseIdentifier: String?
    /// What stands at its end.
    open var accessoryType = AccessoryType.none
    /// What its own views are in.
    public let contentView = UIView()
    /// - Parameters:
    ///   - style: how it looks.
    ///   - reuseIdentifier: what it is kept by.
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

/// A table. It asks nobody for its rows.
open class UITableView: UIView {
    /// How it looks.
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
    /// How it looks.
    public let style: Style
    /// Who gives the rows: is never asked.
    open weak var dataSource: (any UITableViewDataSource)?
    /// Who hears of it: nothing.
    open weak var delegate: (any UITableViewDelegate)?
    /// Kept.
    open var rowHeight: CGFloat = -1
    /// What is chosen: nothing.
    open var indexPathForSelectedRow: IndexPath? { nil }
    /// What stands below it.
    open var tableFooterView: UIView?
    /// What stands above it.
    open var tableHeaderView: UIView?
    /// - Parameters:
    ///   - frame: where it is.
    ///   - style: how it looks.
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
