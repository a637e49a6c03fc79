import Control
import JSON
import Linux
import TaskModel

/// Starts runs on a host, shows their output and progress, and waits until all have ended.
final class RunFollower {
    private let client: any HostClient
    private let terminal: Terminal
    private let showsOutput: Bool
    private let progress: ProgressLine
    private var isOpen: [ULID: Bool] = [:]
    private var order: [ULID] = []
    private var interruptions = 0
    /// Of several runs; one alone is shown as it is.
    private var board: RunBoard?
    private let showsBoard: Bool
    /// Something has changed since then.
    private var isDirty = false
    private var drawn = Instant(nanoseconds: 0)
    /// Between two pictures of what runs.
    private static let pause = TimeSpan.milliseconds(100)

    init(_ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal) {
        self.client = client
        self.terminal = terminal
        showsBoard = !arguments.isJSON && terminal.isInteractive
        showsOutput = !arguments.isJSON && !arguments.has("--quiet")
        progress = ProgressLine(terminal, isOn: !arguments.isJSON, watches: arguments.has("--watch"))
    }

    /// - Parameter start: requests the runs; called once, when none of their events can be missed any more.
    func follow(_ start: () throws(Failure) -> [StartedRun]) throws(Failure) {
        // Ctrl-C is for the runs, which are not children of this process.
        let interrupts = client.leavesSignals ? Interrupts() : nil
        var isStarted = false
        try client.follow(inputs: interrupts?.inputs ?? [], pause: { self.pause }) { (signal) throws(Failure) in
            switch signal {
            case .opened:
                if !isStarted {
                    isStarted = true
                    try note(try start())
                } else {
                    // The stream was cut, as happens to slow readers: ends may have been missed.
                    try lookAgain()
                }
            case .event(let event): take(event)
            case .input:
                interruptions += interrupts?.count() ?? 0
                try interrupt()
            case .timeout: isDirty = true
            }
            draw()
            return isOpen.values.contains(true) && interruptions < 2
        }
        terminal.clearStatus()
    }

    /// The runs as they are recorded, in the order in which they were started.
    func records() throws(Failure) -> [RunRecord] {
        try order.map { (id) throws(Failure) in try client.run(id.description).record }
    }

    private func note(_ runs: [StartedRun]) throws(Failure) {
        order = runs.map(\.id)
        for run in order { isOpen[run] = true }
        guard runs.count > 1 else { return }
        var budgets: [String: TimeSpan] = [:]
        for task in showsBoard ? try client.tasks() : [] {
            if let name = task["identifier"]?.string { budgets[name] = task["budget"]?.span("wallClock") }
        }
        board = RunBoard(runs, budgets: budgets)
    }

    // MARK: What runs, where standard error is a terminal

    /// Times move on while something runs.
    private var pause: TimeSpan? { board == nil || !showsBoard ? nil : isDirty ? Self.pause : .seconds(1) }

    private func draw() {
        guard showsBoard, isDirty, let board, Clock.moment().instant >= drawn + Self.pause else { return }
        terminal.status(
            board.status(at: Clock.moment().time, most: max(1, (StandardStream.error.rows ?? 0) - 2)))
        isDirty = false
        drawn = Clock.moment().instant
    }

    private func tell(_ lines: [UInt8]) {
        if showsOutput, !lines.isEmpty { terminal.note(raw: lines) }
    }

    // MARK: Events

    private func take(_ event: HostEvent) {
        guard let run = event.run, isOpen[run] == true else { return }
        if board != nil {
            board?.take(event, of: run)
            isDirty = true
        }
        switch event.name {
        case "run.output" where board != nil: tell(board?.lines(of: event, run) ?? [])
        case "run.output":
            guard showsOutput, let text = event.data["text"]?.string else { return }
            terminal.note(raw: Array(text.utf8))
        case "run.progress" where board != nil && showsBoard: break
        case "run.progress":
            progress.show(
                event.identifier ?? run.description, completed: event.data["completed"]?.integer ?? 0,
                total: event.data["total"]?.integer ?? 0, note: ProgressBar.note(event.data))
        case "run.waiting":
            terminal.note(
                WaitingLine.text(
                    event.identifier ?? run.description, event.data["waitsFor"]?.string ?? "another try",
                    pause: event.data["pause"]?.double ?? 0))
        case "run.ended":
            isOpen[run] = false
            tell(board?.rest(of: run) ?? [])
        default: break
        }
    }

    private func lookAgain() throws(Failure) {
        for run in order where isOpen[run] == true {
            if try client.run(run.description).record.outcome != nil {
                isOpen[run] = false
                tell(board?.rest(of: run) ?? [])
            }
        }
    }

    /// The first Ctrl-C warns the runs; after the second one the verb stops waiting.
    private func interrupt() throws(Failure) {
        guard interruptions == 1 else { return }
        for run in order where isOpen[run] == true {
            // One that ended at this moment is refused, and reported by its end.
            _ = try client.send(ControlRequest(.post, Route.cancelRun.path(run.description)))
        }
    }
}
