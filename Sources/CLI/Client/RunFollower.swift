import Control
import JSON
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

    init(_ client: any HostClient, _ terminal: Terminal, showsOutput: Bool, showsProgress: Bool, watches: Bool) {
        self.client = client
        self.terminal = terminal
        self.showsOutput = showsOutput
        progress = ProgressLine(terminal, isOn: showsProgress, watches: watches)
    }

    /// - Parameter start: requests the runs; called once, when none of their events can be missed any more.
    func follow(_ start: () throws(Failure) -> [ULID]) throws(Failure) {
        // Ctrl-C is for the runs, which are not children of this process.
        let interrupts = client.leavesSignals ? Interrupts() : nil
        var isStarted = false
        var isDone = false
        while !isDone {
            isDone = try client.follow([], inputs: interrupts?.inputs ?? [], pause: { nil }) {
                (signal) throws(Failure) in
                switch signal {
                case .opened:
                    if !isStarted {
                        isStarted = true
                        note(try start())
                    } else {
                        // The stream was cut, as happens to slow readers: ends may have been missed.
                        try lookAgain()
                    }
                case .event(let event): take(event)
                case .input:
                    interruptions += interrupts?.count() ?? 0
                    try interrupt()
                case .timeout: break
                }
                return isOpen.values.contains(true) && interruptions < 2
            }
        }
        terminal.clearStatus()
    }

    /// The runs as they are recorded, in the order in which they were started.
    func records() throws(Failure) -> [RunRecord] { try order.map { (id) throws(Failure) in try record(of: id) } }

    private func note(_ runs: [ULID]) {
        order = runs
        for run in runs { isOpen[run] = true }
    }

    private func take(_ event: HostEvent) {
        guard let run = event.run, isOpen[run] == true else { return }
        switch event.name {
        case "run.output":
            guard showsOutput, let text = event.data["text"]?.string else { return }
            terminal.note(raw: Array(text.utf8))
        case "run.progress":
            progress.show(
                event.identifier ?? run.description, completed: event.data["completed"]?.integer ?? 0,
                total: event.data["total"]?.integer ?? 0, note: ProgressBar.note(event.data))
        case "run.waiting":
            terminal.note(
                WaitingLine.text(
                    event.identifier ?? run.description, event.data["waitsFor"]?.string ?? "another try",
                    pause: event.data["pause"]?.double ?? 0))
        case "run.ended": isOpen[run] = false
        default: break
        }
    }

    private func lookAgain() throws(Failure) {
        for run in order where isOpen[run] == true {
            if try record(of: run).outcome != nil { isOpen[run] = false }
        }
    }

    /// The first Ctrl-C warns the runs; after the second one the verb stops waiting.
    private func interrupt() throws(Failure) {
        guard interruptions == 1 else { return }
        for run in order where isOpen[run] == true {
            // One that ended at this moment is refused, and reported by its end.
            let path = Route.cancelRun.pattern.description.replacing("{id}", with: run.description)
            _ = try client.send(ControlRequest(.post, path))
        }
    }

    private func record(of run: ULID) throws(Failure) -> RunRecord {
        let document = try client.document(.showRun, run.description)
        guard let record = RunDocument.read(document) else {
            throw Failure(
                ExitStatus.ourBug, "the host's reply is not a run; \(run); check that both are of one version")
        }
        return record
    }
}
