import Control
import JSON

/// `taskhost journal`
enum JournalVerb: Verb {
    static let name = "journal"
    static let summary = "events of the host and its applications"
    static let help = """
        usage: taskhost journal

        Lists events that do not belong to a run, newest first: starts and stops of the host, reloads, quarantines,
        overrides, simulated launches, and the notifications that applications post, which nothing displays.
        """
    static let options: [Option] = [
        .valued("--limit", "N", "how many entries (default 50)"), .manifests, .state, .config, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let limit = try arguments.number("--limit", in: Int(Route.rows.lowerBound)...Int(Route.rows.upperBound)) ?? 50
        let document = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny).document(
            .readJournal, query: [("limit", "\(limit)")])
        guard !arguments.isJSON else {
            terminal.print(JSONOutput(document))
            return ExitStatus.success
        }
        var table = Table([("AT", false), ("KIND", false), ("SUBJECT", false), ("TEXT", false)])
        for entry in document["entries"]?.array ?? [] {
            table.add(["at", "kind", "subject", "text"].map { ListCell.text(entry[$0]) })
        }
        if table.isEmpty { terminal.note("nothing in the journal") } else { terminal.print(table.text()) }
        return ExitStatus.success
    }
}
