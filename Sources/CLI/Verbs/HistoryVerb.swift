import Control
import Glibc
import Host
import JSON
import Record
import TaskModel

/// `taskhost history [ID]`
enum HistoryVerb: Verb {
    static let name = "history"
    static let summary = "what became of runs, newest first"
    static let help = """
        usage: taskhost history [ID]

        Lists past runs, newest first; ID is a task's or an application's identifier.
        """
    static let options: [Option] = [
        .valued("--limit", "N", "how many runs (default 20)"), .state, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.count <= 1 else { throw .usage("one identifier at most; taskhost history; name one") }
        let limit = try arguments.number("--limit", in: 1...RecordLimits.rows) ?? 20
        let runs = try RecordAccess.openIfAny(arguments)?.runs(of: arguments.words.first, limit: limit) ?? []
        if arguments.isJSON {
            terminal.print(.object(["runs": .array(runs.map(RunDocument.json))]))
            return ExitStatus.success
        }
        guard !runs.isEmpty else {
            terminal.note("no runs recorded")
            return ExitStatus.success
        }
        terminal.print(RunTable.text(runs, terminal))
        return ExitStatus.success
    }
}
