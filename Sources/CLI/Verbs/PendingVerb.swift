import Control
import JSON

/// `taskhost pending`
enum PendingVerb: Verb {
    static let name = "pending"
    static let summary = "pending requests, and what they wait for"
    static let help = """
        usage: taskhost pending

        Lists pending requests in the order of their submission, each with what it waits for and when that can change.
        taskhost why ID shows more about one.
        """
    static let options: [Option] = [.manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let document = try HostAccess.openAny(
            arguments, terminal, starts: true, looks: true, manifests: .ifAny
        ).document(.listRequests)
        guard !arguments.isJSON else {
            terminal.print(JSONOutput(document))
            return ExitStatus.success
        }
        var table = Table([
            ("IDENTIFIER", false), ("KIND", false), ("ORIGIN", false), ("ATTEMPT", true), ("SUBMITTED", false),
            ("WAITING FOR", false), ("NEXT", false),
        ])
        let keys = ["identifier", "kind", "origin", "attempt", "submittedAt", "waiting", "next"]
        for request in document["requests"]?.array ?? [] { table.add(keys.map { ListCell.text(request[$0]) }) }
        if table.isEmpty { terminal.note("nothing is pending") } else { terminal.print(table.text()) }
        return ExitStatus.success
    }
}
