import Control
import JSON
import Linux
import TaskModel

/// `taskhost pause [ID…] [--until WHEN]`, `taskhost pause --list`
enum PauseVerb: Verb {
    static let name = "pause"
    static let summary = "hold a task, an application or all work back"
    static let help = """
        usage: taskhost pause [ID…] [--until WHEN]
               taskhost pause --list

        Starts nothing more of each task or application by itself, or of anything without an ID, until taskhost resume or
        until WHEN. Runs in progress go on, and what you start yourself (taskhost run) starts. Times of schedules and dates
        of requests that come during a pause run once after it. A pause outlives restarts of the host; another pause of the
        same work gives it another end.

        WHEN is \(When.forms).
        """
    static let until = Option.valued("--until", "WHEN", "the end of the pause; without it taskhost resume ends it")
    static let list = Option.flag("--list", "show what is paused")
    static let options: [Option] = [until, list, PausedWorkOption.of, .utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let client = try HostAccess.openAny(arguments, terminal)
        if arguments.has(list.name) {
            try arguments.takesNoWords(of: name, "leave out --list to pause something")
            let document = try client.document(.listPauses)
            terminal.print(JSONOutput(document), or: PauseTable.text(document, terminal), for: arguments)
            return ExitStatus.success
        }
        var until: Timestamp?
        if let text = arguments.value(self.until.name) {
            until = try When.parse(text, option: self.until.name, now: Clock.moment().time)
        }
        let end: JSONOutput = JSONOutput(until?.iso8601)
        let document = try PausedWorkOption.forEach(arguments, client, .pause) { $0.adding("until", end) }
        terminal.print(JSONOutput(document), or: PauseTable.text(document, terminal), for: arguments)
        return ExitStatus.success
    }
}

/// `taskhost resume [ID…]`, `taskhost resume --all`
enum ResumeVerb: Verb {
    static let name = "resume"
    static let summary = "end a pause"
    static let help = """
        usage: taskhost resume [ID…]
               taskhost resume --all

        Ends the pause of each task or application, or that of all work without an ID; --all ends every pause. What became
        due during the pause runs once, as soon as its conditions let it.
        """
    static let all = Option.flag("--all", "end every pause")
    static let options: [Option] = [all, PausedWorkOption.of, .utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let client = try HostAccess.openAny(arguments, terminal)
        let document: JSONValue
        if arguments.has(all.name) {
            try arguments.takesNoWords(of: name, "leave out --all to resume one of them")
            document = try client.document(.resume, body: .object(["everything": true]))
        } else {
            document = try PausedWorkOption.forEach(arguments, client, .resume) { $0 }
        }
        terminal.print(JSONOutput(document), or: PauseTable.text(document, terminal), for: arguments)
        return ExitStatus.success
    }
}

/// The work that `pause` and `resume` name.
enum PausedWorkOption {
    static let of = Option.valued("--of", "KIND", "application or task, where both have the identifier")

    /// Sends the command for each ID, or for all work without one; returns the last reply.
    static func forEach(
        _ arguments: Arguments, _ client: any HostClient, _ route: Route, _ complete: (JSONOutput) -> JSONOutput
    ) throws(Failure) -> JSONValue {
        var body: JSONOutput = .object([])
        if let kind = arguments.value(of.name) {
            guard ["application", "task"].contains(kind) else {
                throw .usage("--of does not take this; \(kind); write application or task")
            }
            guard !arguments.words.isEmpty else {
                throw .usage("--of needs an identifier; taskhost pause and resume; name what has it")
            }
            body = body.adding("of", .string(kind))
        }
        var reply: JSONValue?
        for word in arguments.words {
            let identifier = try client.identifier(for: word)
            reply = try client.document(route, body: complete(body.adding("identifier", .string(identifier))))
        }
        if let reply { return reply }
        return try client.document(route, body: complete(body))
    }
}

/// What is paused, as a table.
enum PauseTable {
    static func text(_ document: JSONValue, _ terminal: Terminal) -> String {
        let pauses = document["pauses"]?.array ?? []
        guard !pauses.isEmpty else { return "nothing is paused" }
        var table = TextTable(["PAUSED", "IDENTIFIER", "SINCE", "UNTIL"], whole: ["PAUSED", "IDENTIFIER"])
        for pause in pauses {
            let isAll = pause["of"]?.string == "host"
            table.add([
                isAll ? "all work" : ListCell.text(pause["of"]), ListCell.text(pause["identifier"]),
                terminal.times.cell(pause["since"]), terminal.times.textIfAny(pause["until"]) ?? "taskhost resume",
            ])
        }
        return table.text(width: terminal.outWidth)
    }
}
