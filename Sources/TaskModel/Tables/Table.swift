/// Rows by their index. They are added at the end and stay.
public struct Table<Index: TableIndex, Row> {
    @usableFromInline var rows: [Row] = []

    /// An empty table.
    @inlinable public init() {}

    /// A table of these rows, in this order.
    @inlinable public init(_ rows: [Row]) { self.rows = rows }

    /// How many rows there are.
    @inlinable @inline(__always) public var count: Int { rows.count }

    /// The indices of all rows, as of now.
    @inlinable @inline(__always) public var indices: TableIndices<Index> { TableIndices(count: rows.count) }

    /// Whether there is such a row.
    @inlinable @inline(__always) public func contains(_ index: Index) -> Bool { index.number < rows.count }

    /// Adds a row and gives its index.
    @inlinable public mutating func append(_ row: Row) -> Index {
        rows.append(row)
        return Index(number: UInt32(rows.count - 1))
    }

    #if compiler(>=6.3)
    /// The row, in place. It must be there.
    public subscript(index: Index) -> Row {
        // Without optimisation as well, where a coroutine would take memory at each call.
        @inline(always) get { rows[Int(index.number)] }
        @inline(always) _modify { yield &rows[Int(index.number)] }
    }
    #else
    /// The row, in place. It must be there.
    public subscript(index: Index) -> Row {
        get { rows[Int(index.number)] }
        _modify { yield &rows[Int(index.number)] }
    }
    #endif
}

extension Table: Sendable where Row: Sendable {}

extension Table: Sequence {
    /// Its rows, in order.
    @inlinable public func makeIterator() -> IndexingIterator<[Row]> { rows.makeIterator() }
}
