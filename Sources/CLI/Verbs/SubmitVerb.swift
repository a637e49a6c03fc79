import Control
import JSON
import Linux
import TaskModel

/// `taskhost submit ID`
enum SubmitVerb: Verb {
    static let name = "submit"
    static let summary = "request a run at a good time"
    static let help = """
        usage: taskhost submit ID [--earliest WHEN] [--requires-power] [--requires-network]
               taskhost submit ID --fleet [--label NAME=VALUE]… [--key KEY [--policy POLICY]] [--priority N]

        Submits a request for a task. The host starts it as soon as its conditions allow; until then it survives crashes
        and reboots. It replaces a pending request of the same identifier. taskhost why ID shows what it waits for,
        taskhost cancel ID cancels it. Without a host that serves the state folder, the next one has it.

        With --fleet the first host of a fleet that installs ID and can start it now gets the request. KEY is your own name
        for it: by keep (the default) an unfinished request with that name stays and this one is none, by replace it takes
        the place of one that waits, and allow makes another.

        WHEN is \(When.forms).

        exit status: 0 it is on disk · 17 refused · 64 usage · 69 the host cannot be reached · 73 the payload cannot
        be read
        """
    static let options: [Option] =
        [
            .valued("--earliest", "WHEN", "no run before this time"),
            .flag("--requires-power", "only on external power"),
            .flag("--requires-network", "only with a network"),
        ] + PayloadOption.options + FleetOption.options + FleetRequests.submitOptions + [
            .utc, .manifests, .state, .config, .json,
        ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let word = try arguments.onlyWord(of: name, "task", "write its identifier, see taskhost list")
        var members: [JSONOutput.Member] = []
        var earliest: Timestamp?
        if let text = arguments.value("--earliest") {
            let date = try When.parse(text, option: "--earliest", now: Clock.moment().time)
            members.append(.init("earliestBeginDate", .string(date.iso8601)))
            earliest = date
        }
        if arguments.has("--requires-power") { members.append(.init("requiresExternalPower", true)) }
        if arguments.has("--requires-network") { members.append(.init("requiresNetworkConnectivity", true)) }
        let payload = try PayloadOption.read(arguments, of: name)
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.submit(word, payload: payload, earliest: earliest, arguments, terminal)
            return ExitStatus.success
        }
        try FleetRequests.checkAbsence(arguments)
        if !payload.isEmpty { members.append(.init("payload", .string(Base64.encode(payload)))) }
        let client = try HostAccess.openAny(arguments, terminal, starts: true)
        let identifier = try client.identifier(for: word)
        let request = try client.document(
            .submitRequest, body: .object([.init("identifier", .string(identifier))] + members))
        let waiting = request["waiting"]?.string.map { "; it waits for \(terminal.times.words($0))" } ?? ""
        terminal.print(JSONOutput(request), or: "\(identifier) is pending\(waiting)", for: arguments)
        return ExitStatus.success
    }
}
