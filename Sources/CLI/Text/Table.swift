import JSON

/// Columns that align. The last column is not padded. Cells are shown on one line, without control characters.
struct Table {
    private let titles: [String]
    private var rows: [[String]] = []
    private let isRightAligned: [Bool]

    init(_ columns: [(title: String, right: Bool)]) {
        titles = columns.map(\.title)
        isRightAligned = columns.map(\.right)
    }

    mutating func add(_ cells: [String]) { rows.append(cells.map(JSONWriter.printable)) }

    var isEmpty: Bool { rows.isEmpty }

    /// The rows below the titles; `paint` may colour a padded cell.
    func text(paint: (_ row: Int, _ column: Int, _ cell: String) -> String = { _, _, cell in cell }) -> String {
        var widths = titles.map(\.count)
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
        }
        func line(_ cells: [String], _ row: Int?) -> String {
            var parts: [String] = []
            for (column, cell) in cells.enumerated() {
                let isLast = column == cells.count - 1 && !isRightAligned[column]
                let padding = String(repeating: " ", count: isLast ? 0 : widths[column] - cell.count)
                let padded = isRightAligned[column] ? padding + cell : cell + padding
                parts.append(row.map { paint($0, column, padded) } ?? padded)
            }
            return parts.joined(separator: "  ")
        }
        return ([line(titles, nil)] + rows.enumerated().map { line($1, $0) }).joined(separator: "\n")
    }
}
