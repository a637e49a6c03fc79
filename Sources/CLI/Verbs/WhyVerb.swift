import Control
import JSON

/// `taskhost why ID`
enum WhyVerb: Verb {
    static let name = "why"
    static let summary = "why a task does not run"
    static let help = """
        usage: taskhost why ID

        ID is a task's identifier, or an application's. For an application it shows its state, the user's settings for
        it, the next background fetch and remote notification, and what each of its tasks waits for. APP:fetch and
        APP:push are the tasks of these two. For a task it lists every gate that its request has to pass, in the order
        of evaluation: whether it is open, since when, what the host observes, what would open it, and when it can
        change. A > marks the gates that hold the request. Unknown means that this machine has no source for it.
        """
    static let options: [Option] = [.manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let identifier = try arguments.onlyWord(of: name, "task", "write its identifier, see taskhost list")
        let client = try HostAccess.openAny(arguments, terminal, starts: true, looks: true)
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
        terminal.print(document["summary"]?.string ?? identifier)
        let gates = document["gates"]?.array ?? []
        guard !gates.isEmpty else { return ExitStatus.success }
        var table = Table([
            ("  GATE", false), ("VERDICT", false), ("SINCE", false), ("FOUND", false), ("OPENED BY", false),
            ("NEXT", false),
        ])
        for gate in gates {
            let mark = gate["holds"]?.bool == true ? "> " : "  "
            table.add(
                [mark + ListCell.text(gate["gate"])]
                    + ["verdict", "since", "found", "opens", "next"].map { ListCell.text(gate[$0]) })
        }
        terminal.print(
            table.text { row, column, cell in
                guard column == 1 else { return cell }
                let holds = gates[row]["holds"]?.bool == true
                return terminal.coloured(cell, holds ? .red : gates[row]["verdict"]?.string == "open" ? .green : .dim)
            })
        return ExitStatus.success
    }

    private static func print(_ document: JSONValue, _ arguments: Arguments, _ terminal: Terminal) {
        guard !arguments.isJSON else { return terminal.print(JSONOutput(document)) }
        for key in ["summary", "fetch", "push", "transfers"] {
            terminal.print((key == "summary" ? "" : key + ": ") + (document[key]?.string ?? ""))
        }
        var table = Table([("TASK", false), ("NEXT", false), ("WHY", false)])
        for task in document["tasks"]?.array ?? [] {
            table.add([ListCell.text(task["identifier"]), ListCell.text(task["next"]), ListCell.text(task["summary"])])
        }
        if !table.isEmpty { terminal.print(table.text()) }
    }
}
