/// A row of the record with a value that no version writes: a damaged one, or one of a later version.
package struct UnreadableRow: Sendable, Equatable {
    /// The table's name.
    package var table: String
    /// Its number there.
    package var number: Int64

    package init(table: String, number: Int64) {
        self.table = table
        self.number = number
    }

    /// What is said of it.
    package var sentence: String { "row \(number) of \(table) makes no sense" }
}
