import JSON
import TaskModel

/// `taskhost logs RUN | ID`
enum LogsVerb: Verb {
    static let name = "logs"
    static let summary = "the output and log of one run"
    static let help = """
        usage: taskhost logs RUN | ID [--follow] [--timestamps] [--since WHEN] [--grep PATTERN] [--stream NAME]
               taskhost logs REQUEST --fleet [--raw] [--database TEXT]

        Prints the part of a run's standard output, standard error and log that the host kept. The output of its process
        during the launch comes first. RUN is an id, or its first 8 characters or more; ID is a task, and means its last
        run. With --follow it also prints what comes, until the run has ended, or Ctrl-C.

        On a terminal, control characters are shown as escapes such as \\u001b, unless --raw is given; elsewhere the output
        comes as it was printed.

        Each line has a time, and a stream: stdout, stderr, log (lines of the handler's log), or host (remarks of the
        host). With --json "lines" has them one by one; with --follow --json each line is a document.

        With --fleet it prints the end of what the newest run of a fleet's request printed, wherever that was.

        WHEN is \(When.pastForms).
        """
    static let options: [Option] =
        [
            .flag("--follow", "also what comes, until the run ends (-f)", short: "-f"),
            .flag("--timestamps", "each line's time and stream before it"),
            raw,
        ] + LogFilter.options + FleetOption.options + [.utc, .state, .config, .json]

    private static let raw = Option.flag("--raw", "control characters as they are, to a terminal as well")

    /// A line of an application's, or several, as it may be shown.
    private static func shown(_ text: String, _ arguments: Arguments, _ terminal: Terminal) -> String {
        guard terminal.isObeying, !arguments.has(raw.name) else { return text }
        return JSONWriter.printable(text, keeping: ["\t", "\n"])
    }

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.logs(arguments, terminal) { shown($0, arguments, terminal) }
            return ExitStatus.success
        }
        let filter = try LogFilter(arguments)
        let record = try RecordAccess.open(arguments)
        let run = try RecordAccess.run(arguments, of: name, in: record)
        if arguments.has("--follow") {
            try follow(run.record.id, record, filter, arguments, terminal)
        } else if arguments.isJSON {
            var lines: [JSONOutput] = []
            try LogFollower(run.record.id, record.client) { if filter.takes($0) { lines.append($0.document) } }
                .readAll()
            terminal.print([
                "run": .string(run.record.id.description),
                "output": .string(String(decoding: try record.output(of: run.record.id), as: UTF8.self)),
                "dropped": JSONOutput(run.dropped as UInt64?), "lines": .array(lines),
            ])
            return ExitStatus.success
        } else if arguments.has("--timestamps") || !filter.isEmpty {
            try LogFollower(run.record.id, record.client, printer(filter, arguments, terminal)).readAll()
        } else {
            let bytes = try record.output(of: run.record.id)
            if terminal.isObeying, !arguments.has(raw.name) {
                terminal.print(raw: Array(shown(String(decoding: bytes, as: UTF8.self), arguments, terminal).utf8))
            } else {
                terminal.print(raw: bytes)
            }
            if bytes.last.map({ $0 != 0x0A }) ?? false { terminal.print("") }
        }
        let dropped = try arguments.has("--follow") ? record.run(run.record.id.description).dropped : run.dropped
        if dropped > 0 { terminal.note("\(ByteCount(bytes: dropped)) more were not kept") }
        return ExitStatus.success
    }

    private static func printer(
        _ filter: LogFilter, _ arguments: Arguments, _ terminal: Terminal
    ) -> (LoggedLine) -> Void {
        { line in
            guard filter.takes(line) else { return }
            terminal.print(
                line.document,
                or: shown(line.text(arguments.has("--timestamps") ? terminal.times : nil), arguments, terminal),
                for: arguments)
        }
    }

    private static func follow(
        _ run: ULID, _ record: Past, _ filter: LogFilter, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        let follower = LogFollower(run, record.client, printer(filter, arguments, terminal))
        // Without a host nothing runs: everything is there.
        guard let host = record.client as? any HostClient else { return try follower.readAll() }
        try follower.follow(host, Interrupts()) { terminal.lostOutput == nil }
    }
}
