import JSON

/// Columns that align, and on a terminal fit its width. Cells are shown on one line, without control characters, and no line ends
/// with spaces.
///
/// Own code in place of libsmartcols: what these tables need of it is here, and its packages would come with it into every
/// installation. libsmartcols also cuts a column from the right alone, where the end of an identifier is what tells it from others.
///
/// A table that is too wide becomes narrower in this order, until it fits:
/// 1. Columns are left out from the right, as long as the others would not fit even at their narrowest. `whole` columns stay.
/// 2. The widest column is shortened by a cell, the last one of several, down to `leastCells`. Cells that were cut have an ellipsis.
///    `whole` columns and those aligned to the right are not shortened: half a number is another number.
///
/// If `whole` columns alone are too wide, the terminal wraps them.
struct TextTable {
    /// No column is shortened further.
    private static let leastCells = 8
    private static let gap = 2

    private let columns: [Column]
    private var rows: [[String]] = []

    private struct Column {
        var title: String
        var isRight: Bool
        var isWhole: Bool
        var keepsEnd: Bool
    }

    /// - Parameters:
    ///   - right: the titles of columns that are aligned to the right.
    ///   - whole: of those that are neither shortened nor left out: names that are typed again, and outcomes.
    ///   - ends: of those that are shortened at their beginning: identifiers, whose last part is a task's short name.
    init(_ titles: [String], right: Set<String> = [], whole: Set<String> = [], ends: Set<String> = []) {
        columns = titles.map {
            Column(
                title: $0, isRight: right.contains($0), isWhole: whole.contains($0), keepsEnd: ends.contains($0))
        }
    }

    mutating func add(_ cells: [String]) { rows.append(cells.map { JSONWriter.printable($0) }) }

    var isEmpty: Bool { rows.isEmpty }

    /// The rows below the titles; `paint` may colour a cell.
    ///
    /// - Parameter width: cells of the terminal; nil: there is no limit.
    func text(width: Int?, paint: (_ row: Int, _ column: Int, _ cell: String) -> String = { _, _, cell in cell })
        -> String
    {
        lines(width: width, paint: paint).joined(separator: "\n")
    }

    func lines(width: Int?, paint: (_ row: Int, _ column: Int, _ cell: String) -> String = { _, _, cell in cell })
        -> [String]
    {
        let shown = fitted(to: width)
        func line(_ cells: [String], _ row: Int?) -> String {
            var line = ""
            var gap = 0
            for (column, width) in shown {
                let cell = cells[column].cut(to: width, keepsEnd: row != nil && columns[column].keepsEnd)
                let padding = width - cell.cells
                // Spaces come before the next text alone.
                if !cell.isEmpty {
                    line += String(repeating: " ", count: gap + (columns[column].isRight ? padding : 0))
                    line += row.map { paint($0, column, cell) } ?? cell
                    gap = columns[column].isRight ? 0 : padding
                } else {
                    gap += padding
                }
                gap += Self.gap
            }
            return line
        }
        return [line(columns.map(\.title), nil)] + rows.enumerated().map { line($1, $0) }
    }

    /// The columns that are shown, each with its width.
    private func fitted(to limit: Int?) -> [(column: Int, width: Int)] {
        var shown = columns.indices.map { column in
            (column: column, width: rows.reduce(columns[column].title.cells) { max($0, $1[column].cells) })
        }
        guard let limit else { return shown }
        func sum(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }
        func least(_ column: Int, _ width: Int) -> Int { isFixed(column) ? width : min(width, Self.leastCells) }
        while sum(shown.map { least($0.column, $0.width) }) > limit,
            let last = shown.lastIndex(where: { !columns[$0.column].isWhole })
        {
            shown.remove(at: last)
        }
        while sum(shown.map(\.width)) > limit {
            var widest: Int?
            for (place, entry) in shown.enumerated() where entry.width > least(entry.column, entry.width) {
                if widest.map({ entry.width >= shown[$0].width }) ?? true { widest = place }
            }
            guard let widest else { break }
            shown[widest].width -= 1
        }
        return shown
    }

    private func isFixed(_ column: Int) -> Bool { columns[column].isWhole || columns[column].isRight }
}
