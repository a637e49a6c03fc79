import Control
import JSON
import Linux
import TaskModel

/// `taskhost top`
enum TopVerb: Verb {
    static let name = "top"
    static let summary = "watch runs and pending requests"
    static let help = """
        usage: taskhost top [--once]

        Shows the runs in progress with what they have left of their time and with their progress, pending requests with
        what they wait for, and the number of background transfers, active and waiting, with their rate. It updates
        until q or Ctrl-C. On a terminal of 110 columns or more it also shows what runs have left of their CPU time and
        memory. The arrows, j, k, PgUp, PgDn, g and G select a row and scroll; s sorts by the next column, whose title is
        in brackets then; w or Enter shows why the selected task runs or waits, l the log of its run or last run, and c
        cancels the run or request after a y. Ctrl-Z stops it as usual. Without a terminal, or on one that is dumb, each
        event is a line instead (on a dumb one it says so first); with --json one JSON document a line:
        {"event", "data"}. With --once --json it is one document, with the counts of transfers in "host".

        exit status: 0 ended by the user · 69 no host serves this state folder, or it ended
        """
    static let options: [Option] = [.flag("--once", "show the present state once, and end"), .utc, .state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let client = try HostAccess.open(arguments)
        if arguments.has("--once") {
            var activity = Activity()
            try activity.refresh(from: client)
            terminal.print(
                activity.document,
                or: activity.lines(at: Clock.moment().time, width: terminal.outWidth, terminal.times)
                    .joined(separator: "\n"), for: arguments)
        } else if terminal.hasScreen && !arguments.isJSON {
            try TopScreen(client, terminal).show()
        } else {
            if terminal.isDumbTerminal, !arguments.isJSON {
                terminal.note(
                    "taskhost: the terminal is dumb: each event is a line, until Ctrl-C; for the present state use "
                        + "taskhost top --once")
            }
            try list(client, arguments, terminal)
        }
        return ExitStatus.success
    }

    // MARK: Lines

    private static func list(_ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let interrupts = Interrupts()
        var isOpen = false
        try client.follow(inputs: interrupts.inputs) { (signal) throws(Failure) in
            switch signal {
            case .opened:
                if isOpen { terminal.note("taskhost: events are missing here; the stream was cut; read it faster") }
                isOpen = true
            case .event(let event):
                terminal.print(
                    ["event": .string(event.name), "data": JSONOutput(event.data)], or: line(event, terminal.times),
                    for: arguments)
            case .input: if interrupts.count() > 0 { return false }
            case .timeout: break
            }
            return terminal.lostOutput == nil
        }
    }

    private static func line(_ event: HostEvent, _ times: ShownTimes) -> String {
        var parts = [times.precise(Clock.moment().time), event.name]
        parts += ["identifier", "run", "outcome", "reason"].compactMap { event.data[$0]?.string }
        if event.name == "run.progress" {
            parts.append(ProgressBar.text("", event.data))
        } else if let text = event.data["text"]?.string {
            parts.append(JSONWriter.quoted(text, limit: 200))
        }
        return JSONWriter.printable(parts.joined(separator: "  "))
    }
}
