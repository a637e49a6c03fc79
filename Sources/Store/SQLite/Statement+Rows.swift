import Record

extension Statement {
    /// All rows, each as `read` has it.
    func rows<Row>(_ read: (borrowing Statement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        while try next() { rows.append(try read(self)) }
        return rows
    }

    /// The first column of all rows.
    func integers() throws(StoreError) -> [Int64] { try rows { $0.integer(0) } }
}
