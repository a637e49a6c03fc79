import JSON
import TaskModel

/// Several transfers, a line each.
struct TransferRows {
    private enum Column: String {
        case id, application, state, progress, percent, size, rate, left, url

        var title: String { self == .percent ? "DONE" : rawValue.uppercased() }
        var isRight: Bool { [.id, .percent, .size, .rate, .left].contains(self) }
    }

    /// A URL is cut to what there is room for, but not to less.
    private static let leastURL = 16
    private let transfers: [JSONValue]
    private let times: ShownTimes

    init(_ transfers: [JSONValue], _ times: ShownTimes) { (self.transfers, self.times) = (transfers, times) }

    /// - Parameter width: columns of the screen, on which each transfer has a bar and the least important columns are
    ///   omitted first; nil: it is not a screen, and nothing is omitted.
    func text(width: Int?, _ terminal: Terminal? = nil) -> String {
        guard let width else { return text([.id, .application, .state, .size, .rate, .left, .url], nil, terminal) }
        let layouts: [[Column]] = [
            [.id, .application, .state, .progress, .size, .rate, .left, .url],
            [.id, .application, .state, .percent, .size, .rate, .left, .url],
            [.id, .state, .percent, .size, .rate, .left, .url], [.id, .state, .percent, .size, .rate, .url],
            [.id, .state, .percent, .size, .rate], [.id, .state, .percent, .rate], [.id, .state, .percent],
        ]
        let fitting = layouts.first { room(beside: $0, in: width) >= ($0.last == .url ? Self.leastURL : 0) }
        return text(fitting ?? layouts[layouts.count - 1], width, terminal)
    }

    /// The width of a URL, or the remaining width.
    private func room(beside columns: [Column], in width: Int) -> Int {
        columns.reduce(width - 2 * (columns.count - 1)) { (rest, column) in
            guard column != .url else { return rest }
            return rest - (transfers.map { cell(column, $0, isShort: true).cells } + [column.title.cells]).max()!
        }
    }

    private func text(_ columns: [Column], _ width: Int?, _ terminal: Terminal?) -> String {
        var table = TextTable(columns.map(\.title), right: Set(columns.filter(\.isRight).map(\.title)))
        let room = width.map { max(0, self.room(beside: columns, in: $0)) } ?? .max
        for transfer in transfers {
            table.add(
                columns.map { column in
                    let cell = cell(column, transfer, isShort: width != nil)
                    return column == .url ? JSONWriter.printable(cell).cut(to: room) : cell
                })
        }
        return table.text(width: nil) { row, column, cell in
            columns[column] == .state
                ? terminal?.coloured(cell, TransferText.colour(of: transfers[row])) ?? cell : cell
        }
    }

    private func cell(_ column: Column, _ transfer: JSONValue, isShort: Bool) -> String {
        switch column {
        case .id, .application, .url: ListCell.text(transfer[column.rawValue])
        case .state: TransferText.standing(transfer, times, isShort: isShort)
        case .progress: TransferText.isOver(transfer) ? "" : TransferText.bar(transfer)
        case .percent: TransferText.isOver(transfer) ? "" : TransferText.percent(transfer)
        case .size: TransferText.amount(transfer)
        case .rate: TransferText.rate(transfer)
        case .left: TransferText.left(transfer)?.description ?? "-"
        }
    }
}
