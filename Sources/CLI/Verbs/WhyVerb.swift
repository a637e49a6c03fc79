import Control
import JSON

/// `taskhost why ID`
enum WhyVerb: Verb {
    static let name = "why"
    static let summary = "why a task does not run"
    static let help = """
        usage: taskhost why ID
               taskhost why ID --fleet [--database TEXT]

        ID is a task's identifier, or an application's. For an application it shows its state, the user's settings for
        it, the next background fetch and remote notification, and what each of its tasks waits for. APP:fetch and
        APP:push are the tasks of these two. For a task it lists every gate that its request has to pass, in the order
        of evaluation: whether it is open, since when, what the host observes, what would open it, and when it can
        change. A > marks the gates that hold the request. Unknown means that this machine has no source for it. The
        first line says as well what would have its run refused, such as a secret whose file is missing. With --fleet ID
        is a task or the key of a request: which hosts could start it now, and the gate that holds it on the others.
        """
    static let options: [Option] = FleetOption.options + [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let word = try arguments.onlyWord(of: name, "task", "write its identifier, see taskhost list")
        if arguments.has(FleetOption.fleet.name) {
            try FleetWhy.print(word, arguments, terminal)
            return ExitStatus.success
        }
        let client = try HostAccess.openAny(arguments, terminal, starts: true, looks: true)
        let identifier = try client.identifier(for: word)
        let task = try client.documentIfThere(.explainTask, identifier)
        if task == nil, let application = try client.documentIfThere(.explainApplication, identifier) {
            print(application, arguments, terminal)
            return ExitStatus.success
        }
        let document = if let task { task } else { try client.document(.explainTask, identifier) }
        guard !arguments.isJSON else {
            terminal.print(JSONOutput(document))
            return ExitStatus.success
        }
        let times = terminal.times
        terminal.print(times.words(document["summary"]?.string ?? identifier))
        let gates = document["gates"]?.array ?? []
        guard !gates.isEmpty else { return ExitStatus.success }
        let table = WhyText.table(document, times)
        terminal.print(
            table.text(width: terminal.outWidth) { row, column, cell in
                guard column == 1 else { return cell }
                let holds = gates[row]["holds"]?.bool == true
                return terminal.coloured(cell, holds ? .red : gates[row]["verdict"]?.string == "open" ? .green : .dim)
            })
        return ExitStatus.success
    }

    private static func print(_ document: JSONValue, _ arguments: Arguments, _ terminal: Terminal) {
        guard !arguments.isJSON else { return terminal.print(JSONOutput(document)) }
        for key in ["summary", "fetch", "push", "transfers"] {
            terminal.print((key == "summary" ? "" : key + ": ") + terminal.times.words(document[key]?.string ?? ""))
        }
        var table = TextTable(["TASK", "NEXT", "WHY"], whole: ["TASK"])
        for task in document["tasks"]?.array ?? [] {
            table.add([
                ListCell.text(task["identifier"]), terminal.times.nearCell(task["next"]),
                terminal.times.words(ListCell.text(task["summary"])),
            ])
        }
        if !table.isEmpty { terminal.print(table.text(width: terminal.outWidth)) }
    }
}
