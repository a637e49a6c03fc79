import Fleet
import JSON
import Linux
import TaskModel

/// `submit`, `pending`, `history`, `why` and `cancel` with `--fleet`.
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

    /// Each word is the key of a request.
    static func cancel(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        guard !arguments.words.isEmpty, !arguments.has("--all") else {
            throw .usage("which requests; taskhost cancel --fleet; name their keys, see taskhost pending --fleet")
        }
        var keys: [ULID] = []
        for word in arguments.words {
            guard let key = ULID(word) else {
                throw .usage(
                    "this is no key of a request; \(JSONWriter.quoted(word)); see taskhost pending --fleet for keys")
            }
            keys.append(key)
        }
        let session = try FleetOption.open(arguments, terminal)
        var answers: [(ULID, String)] = []
        for key in keys {
            answers.append((key, try FleetOption.reading { () throws(FleetError) in try session.cancel(key) }))
        }
        terminal.print(
            .object([
                .init(
                    "requests",
                    .array(answers.map { ["request": .string($0.0.description), "state": .string($0.1)] }))
            ]),
            or: answers.map { "\($0.0) \(words(of: $0.1))" }.joined(separator: "\n"), for: arguments)
    }

    private static func words(of answer: String) -> String {
        switch answer {
        case "cancelled": "is taken back"
        case "cancelling": "is being stopped by its host"
        default: "had ended already"
        }
    }
}
