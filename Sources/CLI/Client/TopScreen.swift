import Control
import JSON
import Linux
import TaskModel

/// `taskhost top` on a terminal: scrolls, sorts, and acts on the selected row.
final class TopScreen {
    /// Between two pictures.
    private static let pause = TimeSpan.milliseconds(200)
    private static let keys = "arrows j k PgUp PgDn move  s sorts  w why  l log  c cancels  q ends"

    private let client: any HostClient
    private let terminal: Terminal
    private let screen = Screen()
    private var activity = Activity()
    private var rows = TopRows()
    /// What an action shows over the list: its title, and lines that scroll.
    private var text: (title: String, lines: [String], first: Int)?
    /// The row whose cancelling was asked for, and not yet confirmed.
    private var asked: TopRows.Row?
    /// What became of the last action.
    private var message = ""
    private var isDirty = true
    private var drawn = Instant(nanoseconds: 0)

    init(_ client: any HostClient, _ terminal: Terminal) {
        self.client = client
        self.terminal = terminal
    }

    func show() throws(Failure) {
        defer { screen.leave() }
        try client.follow(
            .changesAndUsage, inputs: screen.inputs,
            pause: {
                if isDirty { return Clock.moment().instant < drawn + Self.pause ? Self.pause : .zero }
                // Elapsed times move on while something runs.
                return activity.runs.isEmpty && !activity.hasTransfers ? nil : .seconds(1)
            }
        ) { (signal) throws(Failure) in
            switch signal {
            case .opened: isDirty = true
            case .timeout:
                isDirty = true
                if activity.hasTransfers { activity.isStale = true }
            case .event(let event):
                activity.take(event)
                isDirty = true
            case .input(let input):
                for news in screen.news(from: input) {
                    switch news {
                    case .end: return false
                    case .redraw: break
                    case .key(let key): guard try take(key) else { return false }
                    }
                }
                // Keys are answered at once.
                try draw()
            }
            if isDirty, Clock.moment().instant >= drawn + Self.pause { try draw() }
            return true
        }
    }

    /// Lines for rows, between the heading and the foot.
    private var page: Int { max(1, screen.height - 1 - 5) }

    private func draw() throws(Failure) {
        if activity.isStale { try activity.refresh(from: client) }
        let now = Clock.moment().time
        if let text {
            let lines = text.lines[text.first..<min(text.lines.count, text.first + page)]
            screen.draw([text.title, ""] + lines + ["", "q goes back"])
        } else {
            rows.replace(activity.rows(at: now, terminal.times))
            let list = rows.lines(page: page, width: screen.width, now: now, terminal.times)
            let heading = activity.heading
            let foot = asked.map { "cancel \($0.run == nil ? "the request" : "the run") of \($0.task)? y/n" }
            screen.draw(
                [heading, ""] + list.lines + [
                    activity.transfers ?? "", foot ?? (message.isEmpty ? Self.keys : message),
                ],
                marked: terminal.usesColour ? list.marked.map { $0 + 2 } : nil)
        }
        isDirty = false
        drawn = Clock.moment().instant
    }

    // MARK: Keys

    /// - Returns: whether it goes on.
    private func take(_ key: TerminalKey) throws(Failure) -> Bool {
        if let row = asked {
            asked = nil
            if key == .character("y") { try act { () throws(Failure) in try cancel(row) } }
            return true
        }
        message = ""
        if let shown = text {
            if let step = TopRows.step(key, page: page) {
                text?.first = min(max(0, shown.lines.count - page), max(0, shown.first + step))
            } else if [.character("q"), .escape, .enter].contains(key) {
                text = nil
            }
            return true
        }
        switch key {
        case .character("q"): return false
        case .character("s"): rows.sortNext()
        case .character("w"), .enter: try act { () throws(Failure) in try why() }
        case .character("l"): try act { () throws(Failure) in try log() }
        case .character("c"): asked = rows.selection
        default: rows.move(key, page: page)
        }
        return true
    }

    // MARK: Actions

    /// A refusal is told in the last line; without its host the verb ends.
    private func act(_ action: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            try action()
        } catch {
            guard error.status != ExitStatus.unreachable else { throw error }
            message = error.sentence
        }
        activity.isStale = true
    }

    private func why() throws(Failure) {
        guard let row = rows.selection else { return }
        let document = try client.document(.explainTask, row.task)
        text = (
            terminal.times.words(document["summary"]?.string ?? row.task),
            WhyText.table(document, terminal.times).lines(width: screen.width), 0
        )
    }

    /// The end of the run's log, or of that of the task's last run.
    private func log() throws(Failure) {
        guard let row = rows.selection else { return }
        var run = row.run
        if run == nil {
            let last = try client.document(.listRuns, query: [("identifier", row.task), ("limit", "1")])
            run = last["runs"]?.array?.first?["run"]?.string
        }
        guard let run else { return message = "\(row.task) has not run yet" }
        let bytes = try client.bytes(.readLog, run)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let shown = lines.last == "" ? Array(lines.dropLast()) : lines
        text = ("log of \(row.task), run \(run)", shown, max(0, shown.count - page))
    }

    private func cancel(_ row: TopRows.Row) throws(Failure) {
        if let run = row.run {
            _ = try client.document(.cancelRun, run)
            message = "\(row.task) is being stopped"
        } else {
            _ = try client.document(.cancelRequest, row.task)
            message = "the request of \(row.task) is taken back"
        }
    }
}
