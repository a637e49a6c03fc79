import Control
import JSON
import Linux
import Record
import TaskModel

/// `taskhost history [ID]`
enum HistoryVerb: Verb {
    static let name = "history"
    static let summary = "past runs and their outcomes, newest first"
    static let help = """
        usage: taskhost history [ID] [--outcome NAME] [--kind KIND] [--since WHEN] [--until WHEN] [--text TEXT]
                                [--unlike] [--sort FIGURE]
               taskhost history --application APP
               taskhost history [ID] --fleet [--database TEXT] [--limit N]

        Lists past runs, newest first; ID is a task's or an application's identifier. Options choose among them: a run
        is listed if it fits all. NOTE says why a run failed, and how it differs from the last runs of its task. The
        slowest run of a week: taskhost history --since 7d --sort wallTime --limit 1. --before RUN goes on where an
        earlier list ended. With --application it also shows when and why the host ended the application's processes, and
        the background time that they had not ended, with the names of functions if the files have symbols; not with an
        option that only runs can fit. With --timeline it draws the runs on one time line, each in pieces between sleeps.
        With --fleet it lists what all hosts of a fleet ran, and on which; ID may be the key of a request.

        WHEN is \(When.pastForms).
        """
    static let options: [Option] =
        [
            .valued("--limit", "N", "how many runs (default 20)"),
            .valued("--application", "APP", "the runs of one application, with the terminations of its processes"),
        ] + RunQuery.options + [.flag("--timeline", "draw the runs on one time line")]
        + FleetOption.options + [.utc, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.count <= 1 else { throw .usage("one identifier at most; taskhost history; name one") }
        let limit = try arguments.number("--limit", in: 1...RecordLimits.rows) ?? 20
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.history(limit: limit, arguments, terminal)
            return ExitStatus.success
        }
        let query = try RunQuery(arguments, now: Clock.moment().time)
        if let application = arguments.value("--application") {
            guard arguments.words.isEmpty else {
                throw .usage("an application or an identifier; taskhost history; leave one of them out")
            }
            return try list(application: application, query, limit: limit, arguments, terminal)
        }
        let record = try RecordAccess.openIfAny(arguments)
        var name = arguments.words.first
        if let word = name, let record { name = try record.identifier(for: word) }
        let runs = try record?.runs(of: name, query, limit: limit) ?? []
        terminal.note(unreadable: record?.unreadable ?? [], damage: record?.damage)
        if arguments.isJSON {
            terminal.print(.object(["runs": .array(runs.map(RunDocument.json))]))
            return ExitStatus.success
        }
        guard !runs.isEmpty else {
            terminal.note("no runs recorded")
            return ExitStatus.success
        }
        if arguments.has("--timeline") {
            try draw(RunTimeLines(runs, now: Clock.moment().time, terminal.times), record, terminal)
        } else {
            terminal.print(RunRows.text(runs, terminal))
        }
        return ExitStatus.success
    }

    private static func draw(
        _ lines: RunTimeLines, _ record: Past?, _ terminal: Terminal
    ) throws(Failure) {
        var lines = lines
        if let record { try lines.findSleeps(in: record) }
        guard let picture = lines.all(width: terminal.outWidth ?? RunTimeLines.usualWidth) else {
            return terminal.note("no run has begun")
        }
        terminal.print(picture.joined(separator: "\n"))
    }

    private static func list(
        application: String, _ query: RunQuery, limit: Int, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let record = try RecordAccess.openIfAny(arguments)
        let ends = query.choosesRuns ? [] : try record?.terminations(of: application, limit: limit) ?? []
        let past = ApplicationPast(
            runs: try record?.runs(ofApplication: application, query, limit: limit) ?? [],
            terminations: ends.filter { query.contains($0.at) }, limit: limit)
        terminal.note(unreadable: record?.unreadable ?? [], damage: record?.damage)
        if arguments.isJSON {
            terminal.print(past.json)
        } else if past.isEmpty {
            terminal.note("no runs recorded")
        } else if arguments.has("--timeline") {
            try draw(
                RunTimeLines(
                    past.runs, terminations: past.terminations, now: Clock.moment().time, terminal.times),
                record, terminal)
        } else {
            terminal.print(past.text(terminal))
        }
        return ExitStatus.success
    }
}
