import Control
import JSON
import TaskModel

/// `taskhost show RUN`
enum ShowVerb: Verb {
    static let name = "show"
    static let summary = "everything that is known of one run"
    static let help = """
        usage: taskhost show RUN

        Shows a run's outcome, figures, events, diagnostics, and the confinement that it really had. RUN is its id, or
        the first 8 characters or more.
        """
    static let options: [Option] = [.state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let history = try Record.open(arguments)
        let run = try Record.run(arguments, of: name, in: history)
        if arguments.isJSON {
            terminal.print(RunDocument.detailed(run))
            return ExitStatus.success
        }
        terminal.print(text(run, terminal))
        return ExitStatus.success
    }

    private static func text(_ run: RunRecord, _ terminal: Terminal) -> String {
        var facts: [(String, String)] = [
            ("run", run.id.description), ("identifier", run.identifier), ("application", run.application),
            ("outcome", terminal.coloured(run.outcome?.name ?? "running", RunTable.colour(of: run.outcome))),
        ]
        func add(_ title: String, _ value: String?) {
            if let value { facts.append((title, value)) }
        }
        add("reason", run.reason?.name)
        add("attempt", run.attempt > 1 ? "\(run.attempt)" : nil)
        add("wall time", run.wallTime?.description)
        add("CPU time", run.cpuTime?.description)
        add("peak memory", run.peakMemory?.description)
        add("signal", run.signal.map { "\($0)" })
        add("exit status", run.exitStatus.map { "\($0)" })
        add("result", run.result.map { RunTable.result($0) })
        add("confinement", run.confinement)
        add("degraded", run.degraded.isEmpty ? nil : run.degraded.joined(separator: ", "))
        for diagnostic in run.diagnostics { add("diagnostic", diagnostic) }
        let width = facts.map(\.0.count).max() ?? 0
        let lines = facts.map { $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
        let events = run.events.map { event in
            "  \(event.at.iso8601)  \(event.kind.name)" + (RunDocument.cause(of: event).map { " (\($0))" } ?? "")
        }
        return (lines + ["events"] + events).joined(separator: "\n")
    }
}
