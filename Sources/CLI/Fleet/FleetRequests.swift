import Fleet
import JSON
import Linux
import Record
import TaskModel

/// `submit`, `list`, `pending`, `history`, `show`, `logs` and `cancel` with `--fleet`.
enum FleetRequests {
    /// The options that `submit` takes with `--fleet` alone.
    static let submitOptions: [Option] = [
        .valued(
            "--label", "NAME=VALUE", "with --fleet: a label that its host must have (repeatable)", repeatable: true),
        .valued("--key", "KEY", "with --fleet: your own name for the request"),
        .valued("--policy", "POLICY", "with --key: keep, replace or allow (default keep)"),
        .valued("--priority", "N", "with --fleet: higher ones first, -100 to 100 (default 0)"),
    ]

    static func submit(
        _ identifier: String, payload: [UInt8], earliest: Timestamp?, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        var submission = FleetSubmission(identifier)
        submission.payload = payload
        submission.earliest = earliest
        submission.requiresExternalPower = arguments.has("--requires-power")
        submission.requiresNetwork = arguments.has("--requires-network")
        submission.dedupe = arguments.value("--key")
        submission.policy = submission.dedupe == nil ? .allow : .keep
        if let text = arguments.value("--policy") {
            guard let policy = FleetSubmission.Policy(rawValue: text) else {
                throw .usage("unknown policy \(JSONWriter.quoted(text)); taskhost submit; write keep, replace or allow")
            }
            guard submission.dedupe != nil else {
                throw .usage("--policy needs a key; taskhost submit; write --key KEY, which names the request")
            }
            submission.policy = policy
        }
        if let text = arguments.value("--priority") {
            guard let priority = Int16(text), (-100...100).contains(priority) else {
                throw .usage(
                    "--priority does not take this; \(JSONWriter.quoted(text)); write a number from -100 to 100")
            }
            submission.priority = priority
        }
        for text in arguments.all("--label") {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .usage("--label does not take this; \(JSONWriter.quoted(text)); write NAME=VALUE")
            }
            submission.labels[parts[0]] = parts[1]
        }
        let session = try FleetOption.open(arguments, terminal)
        let key = try FleetOption.reading { () throws(FleetError) in try session.submit(submission) }
        terminal.print(
            .object([.init("request", .string(key.description)), .init("identifier", .string(identifier))]),
            or: "\(identifier) is pending in the fleet as \(key)", for: arguments)
    }

    /// Without `--fleet` its options say nothing.
    static func checkAbsence(_ arguments: Arguments) throws(Failure) {
        for option in submitOptions where arguments.has(option.name) {
            throw .usage("\(option.name) is for requests of a fleet; taskhost submit; write --fleet, or leave it out")
        }
    }

    static func pending(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        let requests = try FleetOption.reading { () throws(FleetError) in
            try session.requests(of: arguments.words.first, all: false, limit: 200)
        }
        FleetLists.requests(requests, arguments, terminal)
    }

    static func history(limit: Int, _ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        let runs = try FleetOption.reading { () throws(FleetError) in
            try session.runs(of: arguments.words.first, limit: limit)
        }
        FleetLists.runs(runs, arguments, terminal)
    }

    static func list(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        FleetLists.tasks(
            try FleetOption.reading { () throws(FleetError) in try session.hosts() }, arguments, terminal)
    }

    private static func key(_ word: String, listedBy verb: String) throws(Failure) -> ULID {
        guard let key = ULID(word) else {
            throw .usage(
                "this is no key of a request; \(JSONWriter.quoted(word)); see taskhost \(verb) --fleet for keys")
        }
        return key
    }

    /// The request of the only word.
    private static func find(
        _ verb: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> (FleetSession, FleetRequestRow) {
        let word = try arguments.onlyWord(of: verb, "request", "write its key, see taskhost history --fleet")
        let key = try key(word, listedBy: "history")
        let session = try FleetOption.open(arguments, terminal)
        let request = try FleetOption.reading { () throws(FleetError) in
            try session.requests(of: key.description, all: true, limit: 1).first
        }
        guard let request else {
            throw Failure(
                ExitStatus.fault, "no such request; \(word) in \(session.place); see taskhost history --fleet")
        }
        return (session, request)
    }

    static func show(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let (session, request) = try find("show", arguments, terminal)
        let runs = try FleetOption.reading { () throws(FleetError) in
            try session.runs(of: request.key.description, limit: 100)
        }
        var facts = Facts()
        facts.add("request", request.key.description)
        facts.add("identifier", request.identifier)
        facts.add("state", request.outcome ?? request.state)
        facts.add("host", request.host)
        facts.add("attempt", "\(request.attempt)")
        facts.add("lost leases", request.losses == 0 ? nil : "\(request.losses)")
        facts.add("submitted", request.submitted.map { terminal.times.near($0) })
        facts.add("not before", request.free.map { terminal.times.near($0) })
        let history = runs.isEmpty ? "no host has run it yet" : FleetLists.text(runs, terminal)
        terminal.print(
            .object([.init("request", request.json), .init("runs", .array(runs.map(\.json)))]),
            or: facts.text + "\n" + history, for: arguments)
    }

    /// What the newest run of a request wrote, of those that left something.
    static func logs(_ arguments: Arguments, _ terminal: Terminal, _ shown: (String) -> String) throws(Failure) {
        let (session, request) = try find("logs", arguments, terminal)
        let found = try FleetOption.reading { () throws(FleetError) in try lastOutput(of: request.key, in: session) }
        guard let (run, output) = found else {
            throw Failure(
                ExitStatus.fault,
                "no output is kept; request \(request.key); taskhost logs on the host that ran it has all that it kept")
        }
        let text = String(decoding: output, as: UTF8.self)
        if arguments.isJSON {
            return terminal.print([
                "request": .string(request.key.description), "token": .integer(run.token.number),
                "host": .string(run.host), "output": .string(text),
            ])
        }
        terminal.print(raw: terminal.isObeying ? Array(shown(text).utf8) : output)
        if output.last != 0x0A { terminal.print("") }
    }

    private static func lastOutput(
        of key: ULID, in session: FleetSession
    ) throws(FleetError) -> (FleetRunRow, [UInt8])? {
        for run in try session.runs(of: key.description, limit: 100) {
            if let output = try session.output(of: run.token), !output.isEmpty { return (run, output) }
        }
        return nil
    }

    /// Each word is the key of a request.
    static func cancel(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        guard !arguments.words.isEmpty, !arguments.has("--all") else {
            throw .usage("which requests; taskhost cancel --fleet; name their keys, see taskhost pending --fleet")
        }
        var keys: [ULID] = []
        for word in arguments.words {
            keys.append(try key(word, listedBy: "pending"))
        }
        let session = try FleetOption.open(arguments, terminal)
        var answers: [(ULID, String)] = []
        var unknown: [String] = []
        for key in keys {
            let answer = try FleetOption.reading { () throws(FleetError) in try session.cancel(key) }
            if let answer { answers.append((key, answer)) } else { unknown.append(key.description) }
        }
        terminal.print(
            .object([
                .init(
                    "requests",
                    .array(answers.map { ["request": .string($0.0.description), "state": .string($0.1)] }))
            ]),
            or: answers.map { "\($0.0) \(words(of: $0.1))" }.joined(separator: "\n"), for: arguments)
        guard unknown.isEmpty else {
            throw Failure(
                ExitStatus.fault,
                "no such request, or another user's; \(unknown.joined(separator: ", ")) in \(session.place); see taskhost pending --fleet"
            )
        }
    }

    private static func words(of answer: String) -> String {
        switch answer {
        case "cancelled": "is taken back"
        case "cancelling": "is being stopped by its host"
        default: "had ended already"
        }
    }
}
