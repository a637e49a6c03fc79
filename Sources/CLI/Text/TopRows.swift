import JSON
import TaskModel

/// What `top` shows on a terminal: runs in progress and pending requests as one list that is sorted and scrolled, with one of them
/// selected.
struct TopRows {
    /// A run, or a request.
    struct Row {
        var task: String
        /// nil: it is a request.
        var run: String?
        var state: String
        /// Since its start, or its submission.
        var time: TimeSpan?
        /// nil: it is a request.
        var left: BudgetLeft?
        var next: Timestamp?
        var detail: String

        fileprivate var key: String { run ?? task }
    }

    enum Order: Int, CaseIterable {
        /// As the host lists them: runs, then requests.
        case listed, task, state, time, next
    }

    /// Columns of a terminal that has room for every budget.
    private static let wide = 110

    private(set) var rows: [Row] = []
    private(set) var order = Order.listed
    private(set) var selected = 0
    /// The first one that is shown.
    private var first = 0

    var selection: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    /// The selection stays with its row, if that is still there.
    mutating func replace(_ new: [Row]) {
        let key = selection?.key
        rows = new
        sort(selecting: key)
    }

    mutating func sortNext() {
        order = Order(rawValue: (order.rawValue + 1) % Order.allCases.count) ?? .listed
        sort(selecting: selection?.key)
    }

    private mutating func sort(selecting key: String?) {
        // Runs come first in what is equal, as they were listed.
        let listed = rows.enumerated().sorted { a, b in
            let (x, y) = (a.element, b.element)
            switch order {
            case .task where x.task != y.task: return x.task < y.task
            case .state where x.state != y.state: return x.state < y.state
            case .time where x.time != y.time: return (x.time ?? .zero) > (y.time ?? .zero)
            case .next where x.next != y.next: return (x.next?.nanoseconds ?? .max) < (y.next?.nanoseconds ?? .max)
            default: return a.offset < b.offset
            }
        }
        rows = listed.map(\.element)
        selected = rows.firstIndex { $0.key == key } ?? min(selected, max(0, rows.count - 1))
    }

    /// - Parameter page: how many rows are shown.
    mutating func move(_ key: TerminalKey, page: Int) {
        selected = min(max(0, rows.count - 1), max(0, selected + (Self.step(key, page: page) ?? 0)))
    }

    /// How far a key moves; nil: it is none of those.
    static func step(_ key: TerminalKey, page: Int) -> Int? {
        switch key {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -page
        case .pageDown: page
        case .first, .character("g"): -(1 << 30)
        case .last, .character("G"): 1 << 30
        default: nil
        }
    }

    /// The titles, and at most `page` rows with the selected one among them.
    ///
    /// - Returns: `marked` is the line of the selection.
    mutating func lines(page: Int, width: Int, now: Timestamp, _ times: ShownTimes) -> (lines: [String], marked: Int?) {
        guard !rows.isEmpty else { return (["nothing runs, and nothing waits"], nil) }
        first = min(first, selected, max(0, rows.count - page))
        first = max(first, selected - page + 1, 0)
        func title(_ text: String, _ order: Order) -> String { order == self.order ? "[\(text)]" : text }
        let (task, time) = (title("TASK", .task), title("TIME", .time))
        // Widths are those of all rows: they stay as the list scrolls.
        let isWide = width >= Self.wide
        let usage = isWide ? ["CPU LEFT", "MEMORY LEFT"] : []
        var table = TextTable(
            ["", task, title("STATE", .state), time, "TIME LEFT"] + usage
                + [title("NEXT", .next), "PROGRESS OR WAITING FOR"],
            right: [time, "TIME LEFT", "CPU LEFT", "MEMORY LEFT"], whole: ["", task])
        for (number, row) in rows.enumerated() {
            let head: [String] = [
                number == selected ? ">" : " ", row.task, row.state,
                row.time.map { "\(TimeSpan.seconds($0.nanoseconds / 1_000_000_000))" } ?? "-",
                row.left?.time ?? "-",
            ]
            let usage: [String] = isWide ? [row.left?.cpuTime ?? "-", row.left?.memory ?? "-"] : []
            let tail: [String] = [row.next.map { times.near($0, now: now) } ?? "-", row.detail]
            table.add(head + usage + tail)
        }
        let all = table.lines(width: width)
        let shown: [String] = [all[0]] + Array(all[(first + 1)..<(min(first + page, rows.count) + 1)])
        return (shown, selected - first + 1)
    }
}
