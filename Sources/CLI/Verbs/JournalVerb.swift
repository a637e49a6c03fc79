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
        .valued("--limit", "N", "how many entries (default 50)"), .utc, .manifests, .state, .config, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let limit = try arguments.number("--limit", in: Int(Route.rows.lowerBound)...Int(Route.rows.upperBound)) ?? 50
        let document = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny).document(
            .readJournal, query: [("limit", "\(limit)")])
        var table = TextTable(["AT", "KIND", "SUBJECT", "TEXT"], whole: ["AT", "KIND"], ends: ["SUBJECT"])
        for entry in document["entries"]?.array ?? [] {
            // What a process printed, and what an application posts, is not the host's.
            let isOurs = !["processPrinted", "notification"].contains(entry["kind"]?.string)
            let text = ListCell.text(entry["text"])
            table.add(
                [terminal.times.cell(entry["at"])] + ["kind", "subject"].map { ListCell.text(entry[$0]) }
                    + [isOurs ? terminal.times.words(text) : text])
        }
        terminal.print(document, or: table, ifEmpty: "nothing in the journal", for: arguments)
        return ExitStatus.success
    }
}
