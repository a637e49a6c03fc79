import Control
import JSON

/// `taskhost pending`
enum PendingVerb: Verb {
    static let name = "pending"
    static let summary = "pending requests, and what they wait for"
    static let help = """
        usage: taskhost pending
               taskhost pending [ID] --fleet [--database TEXT]

        Lists pending requests in the order of their submission, each with what it waits for and when that can change.
        SUBMITTED and NEXT say how far away that is, or a day away the date; --utc always the date. taskhost why ID shows
        more about one. With --fleet it lists what the hosts of a fleet share, with the host that has a request.
        """
    static let options: [Option] = FleetOption.options + [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.pending(arguments, terminal)
            return ExitStatus.success
        }
        try arguments.takesNoWords(of: name)
        let document = try HostAccess.openAny(
            arguments, terminal, starts: true, looks: true, manifests: .ifAny
        ).document(.listRequests)
        let times = terminal.times
        var table = TextTable(
            ["IDENTIFIER", "KIND", "ORIGIN", "ATTEMPT", "SUBMITTED", "WAITING FOR", "NEXT"], right: ["ATTEMPT"],
            whole: ["IDENTIFIER"])
        for request in document["requests"]?.array ?? [] {
            table.add(
                ["identifier", "kind", "origin", "attempt"].map { ListCell.text(request[$0]) } + [
                    times.nearCell(request["submittedAt"]), times.words(ListCell.text(request["waiting"])),
                    times.nearCell(request["next"]),
                ])
        }
        terminal.print(document, or: table, ifEmpty: "nothing is pending", for: arguments)
        return ExitStatus.success
    }
}
