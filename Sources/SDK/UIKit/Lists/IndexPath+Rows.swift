/// Sections and rows.
extension IndexPath {
    /// A row of a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    /// An item of a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    /// The row.
    public var row: Int { self[1] }
    /// The section.
    public var section: Int { self[0] }
    /// The same as the row.
    public var item: Int { self[1] }
}
