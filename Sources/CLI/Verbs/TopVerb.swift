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

        Shows the runs in progress with their progress, pending requests with what they wait for, and the number of
        background transfers, active and waiting, with their rate. It updates until q or Ctrl-C. Without a terminal,
        each event is a line instead; with --json one JSON document a line: {"event", "data"}. With --once --json it is
        one document, with the counts of transfers in "host".

        exit status: 0 ended by the user · 69 no host serves this state folder, or it ended
        """
    static let options: [Option] = [.flag("--once", "show the present state once, and end"), .state, .json]

    /// Between two pictures.
    private static let pause = TimeSpan.milliseconds(200)

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let client = try HostAccess.open(arguments)
        if arguments.has("--once") {
            var activity = Activity()
            try activity.refresh(from: client)
            if arguments.isJSON {
                terminal.print(activity.document)
            } else {
                terminal.print(activity.lines(at: Clock.moment().time).joined(separator: "\n"))
            }
        } else if terminal.hasScreen && !arguments.isJSON {
            try show(client)
        } else {
            try list(client, arguments, terminal)
        }
        return ExitStatus.success
    }

    // MARK: Pictures

    private static func show(_ client: any HostClient) throws(Failure) {
        let interrupts = Interrupts()
        let screen = Screen()
        defer { screen.leave() }
        var activity = Activity()
        var isDirty = true
        var drawn = Instant(nanoseconds: 0)
        func draw() throws(Failure) {
            if activity.isStale { try activity.refresh(from: client) }
            screen.draw(activity.lines(at: Clock.moment().time) + ["", "q ends"])
            isDirty = false
            drawn = Clock.moment().instant
        }
        var isEnded = false
        while !isEnded {
            isEnded = try client.follow(
                [], inputs: interrupts.inputs + screen.inputs,
                pause: {
                    if isDirty { return Clock.moment().instant < drawn + pause ? pause : .zero }
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
                case .input(0):
                    if screen.keys().contains(UInt8(ascii: "q")) { return false }
                case .input: if interrupts.count() > 0 { return false }
                }
                if isDirty, Clock.moment().instant >= drawn + pause { try draw() }
                return true
            }
        }
    }

    // MARK: Lines

    private static func list(_ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let interrupts = Interrupts()
        var isOpen = false
        var isEnded = false
        // A stream that ends is opened again: it was cut, as happens to slow readers, or the host has ended, which the next
        // request shows.
        while !isEnded {
            isEnded = try client.follow([], inputs: interrupts.inputs, pause: { nil }) { (signal) throws(Failure) in
                switch signal {
                case .opened:
                    if isOpen { terminal.note("taskhost: events are missing here; the stream was cut; read it faster") }
                    isOpen = true
                case .event(let event):
                    if arguments.isJSON {
                        terminal.print(.object(["event": .string(event.name), "data": JSONOutput(event.data)]))
                    } else {
                        terminal.print(line(event))
                    }
                case .input: if interrupts.count() > 0 { return false }
                case .timeout: break
                }
                return terminal.lostOutput == nil
            }
        }
    }

    private static func line(_ event: HostEvent) -> String {
        var parts = [Clock.moment().time.iso8601, event.name]
        parts += ["identifier", "run", "outcome", "reason"].compactMap { event.data[$0]?.string }
        if event.name == "run.progress" {
            parts.append(ProgressBar.text("", event.data))
        } else if let text = event.data["text"]?.string {
            parts.append(JSONWriter.quoted(text, limit: 200))
        }
        return JSONWriter.printable(parts.joined(separator: "  "))
    }
}
