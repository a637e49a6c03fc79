import TaskModel

/// The columns of a table as a query lists them, by name: raw values are the places, in the order of the cases.
protocol RowColumn: CaseIterable, RawRepresentable<Int32> {
    /// What a query selects for it: its name in SQL, `end_status` for `endStatus`, unless it is of several tables.
    var sql: String { get }
}

extension RowColumn {
    var sql: String {
        String(describing: self).reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    /// What a query selects.
    static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

extension Statement {
    func integer(_ column: some RowColumn) -> Int64 { integer(column.rawValue) }
    func real(_ column: some RowColumn) -> Double { real(column.rawValue) }
    func isNull(_ column: some RowColumn) -> Bool { isNull(column.rawValue) }
    func optionalInteger(_ column: some RowColumn) -> Int64? { optionalInteger(column.rawValue) }
    func id(_ column: some RowColumn) -> ULID? { id(column.rawValue) }
    func text(_ column: some RowColumn) -> String? { text(column.rawValue) }
    func withBytes<Result>(_ column: some RowColumn, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withBytes(column.rawValue, body)
    }
}
