import Control
import JSON
import Linux
import Manifests
import Serving
import Setting
import TaskModel

/// `taskhost run ID… | --all`, `taskhost run -- COMMAND…`
enum RunVerb: Verb {
    static let name = "run"
    static let summary = "run tasks now and wait for their outcome"
    static let help = """
        usage: taskhost run ID… | --all
               taskhost run [--wall 10m] [--memory 256MiB] … -- COMMAND…

        Runs tasks now, in the foreground, regardless of their conditions and schedules, and shows their outcomes. ID is
        a task's identifier, an identifier that matches a task's identifier with *, or an application's, which runs all
        its tasks. The first Ctrl-C cancels the runs in progress: they are warned; the second kills them. With a daemon,
        the daemon runs the tasks, and the second Ctrl-C only stops waiting. With --manifests and without --state the
        verb does not use the daemon: such runs have their own state folder next to it.

        Behind -- is one command, without a manifest: it keeps this shell's folder, variables, input, terminal and
        umask, its output passes unchanged, and it has all rights of its user but with --confine. It has no limits but
        those that are given. --once starts it at most once: if the record has a run of that name, nothing runs.
        --print-manifest prints what taskhost add would write. Its record is the state folder's, or beside it while a
        daemon has that.

        exit status, by outcome; with several runs the largest, and 75 only when the others succeeded:
        \(RunReport.statuses)
        A deferred run is not repeated. Without a run: 64 usage · 65 bad manifest · 73 the state folder or the payload
        cannot be used.
        """
    static let options: [Option] =
        [.flag("--all", "run every task of every manifest once")] + ShellCommand.options + [
            .valued("--once", "NAME", "of a command: as --as, and start it at most once"),
            .flag("--print-manifest", "of a command: print a manifest for it, and run nothing"),
        ] + PayloadOption.options + [
            .valued("--settings", "JSON", "settings instead of the manifest's"),
            attemptOption,
            .valued("--profile", "NAME", "limits profile: modern, ios7, ios6"),
            .valued("--repeat", "N", "run each N times and print rate and latency"),
            .valued("--concurrency", "K", "runs at once (default 1 with --repeat, else 64)"),
            .flag("--quiet", "do not show the output of handlers"),
            .flag("--watch", "show progress, without a terminal a line for each step"),
            .utc, .manifests, .state, .config, .json,
        ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.command != nil { return try CommandRun(arguments).run(terminal) }
        guard arguments.has("--all") != !arguments.words.isEmpty else {
            throw .usage(
                arguments.words.isEmpty
                    ? "nothing to run; taskhost run; name a task (see taskhost list) or write --all"
                    : "--all and identifiers exclude each other; taskhost run; leave one out")
        }
        let settings = try settings(of: arguments)
        let attempt = try attempt(of: arguments)
        var state = try Places.state(arguments)
        let payload = try PayloadOption.read(arguments, of: name)
        if let client = try HostAccess.openIfServed(arguments) {
            guard arguments.has("--manifests"), !arguments.has("--state") else {
                if let option = hostOptions.first(where: { arguments.has($0) }) {
                    throw .usage(
                        "a host serves this state, with settings of its own; \(option); leave it out, or use another "
                            + "folder with --state")
                }
                var identifiers: [String]?
                if !arguments.has("--all") {
                    var named: [String] = []
                    for word in arguments.words { named.append(try client.identifier(for: word)) }
                    identifiers = named
                }
                return try run(identifiers, payload: payload, settings: settings, on: client, arguments, terminal)
            }
            let own = PrivateState.folder(beside: state, for: arguments.all("--manifests"))
            terminal.note(
                "taskhost: a host serves \(state), with manifests of its own; this run keeps its state in \(own)")
            state = own
        }
        var configuration = try Configuration.read(arguments, terminal)
        let count = try arguments.number("--repeat", in: 1...100_000_000)
        guard count == nil || attempt == nil else {
            throw .usage("--repeat and --attempt exclude each other; taskhost run; leave one out")
        }
        let concurrency = try arguments.number("--concurrency", in: 1...4096)
        let words = Set(arguments.words)
        let catalogue = Catalogue(
            try Places.manifests(arguments), profile: configuration.profile, accounts: AccountRules(configuration)
        ) { definition in
            words.isEmpty || words.contains(definition.identifier)
                || words.contains { EventTasks.identifiers(of: definition.identifier).contains($0) }
                || definition.tasks.contains { task in
                    words.contains { names(task, by: $0) || task.identifier.hasSuffix("." + $0) }
                }
        }
        let chosen = try choose(arguments, from: catalogue, terminal)

        configuration.concurrency = concurrency ?? (count == nil ? configuration.concurrency : 1)
        let client = try LocalClient(
            catalogue.applications.filter { application in chosen.contains { $0.application === application } },
            writable: catalogue.writable, state: state, configuration, terminal)
        guard let count else {
            return try run(
                chosen.map { $0.name ?? $0.identifier }, payload: payload, settings: settings, on: client, arguments,
                terminal)
        }
        let summary = try client.series(
            of: chosen.map { ($0.identifier, $0.name) }, times: count, atOnce: configuration.concurrency,
            payload: payload, settings: settings,
            ProgressLine(terminal, isOn: !arguments.isJSON, watches: arguments.has("--watch")), terminal)
        try client.close()
        terminal.clearStatus()
        terminal.print(["summary": json(summary)], or: text(summary), for: arguments)
        return summary.exitStatus
    }

    /// Options that a daemon has its own settings for.
    private static let hostOptions = ["--manifests", "--config", "--profile", "--repeat", "--concurrency"]

    /// Lets the host run them, and waits.
    ///
    /// - Parameter identifiers: of tasks and applications; nil: all.
    private static func run(
        _ identifiers: [String]?, payload: [UInt8], settings: [UInt8], on client: any HostClient,
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        var members: [JSONOutput.Member] = [
            identifiers.map { .init("identifiers", .array($0.map(JSONOutput.string))) } ?? .init("all", true)
        ]
        if !payload.isEmpty { members.append(.init("payload", .string(Base64.encode(payload)))) }
        if let attempt = try attempt(of: arguments) { members.append(.init("attempt", .integer(attempt))) }
        // They were parsed before, and are an object.
        if !settings.isEmpty { members.append(.init("settings", .verbatim(settings))) }
        let follower = RunFollower(client, arguments, terminal)
        try follower.follow { () throws(Failure) in
            let document = try client.document(.startRuns, body: .object(members))
            return try (document["runs"]?.array ?? []).map { (run) throws(Failure) in
                try StartedRun(run, terminal)
            }
        }
        // Notes may come after a run's end, until its worker has left.
        if let own = client as? LocalClient { try own.close() }
        let records = try follower.records()
        guard identifiers != nil || !records.isEmpty else { throw nothingToRun }
        RunReport.print(records, arguments, terminal)
        return RunReport.exitStatus(records)
    }

    // MARK: What to run

    private static let attemptOption = Option.valued(
        "--attempt", "N", "number of this try, if something else repeats it (default 1)")

    /// The number of the try; nil: it was not given.
    static func attempt(of arguments: Arguments) throws(Failure) -> Int64? {
        try arguments.number("--attempt", in: 1...Int(UInt32.max)).map { Int64($0) }
    }

    private static var nothingToRun: Failure {
        .badManifest("no manifest has a task; taskhost run --all; name another folder with --manifests")
    }

    private struct Choice {
        /// Of the task.
        var identifier: String
        /// The requested name, if it matches the task's wildcard.
        var name: String?
        /// The manifest has it; else the host made it of the application's events.
        var isDeclared = true
        var application: InstalledApplication
    }

    /// Whether the word is the task's identifier, or matches it.
    private static func names(_ task: TaskDefinition, by word: String) -> Bool {
        task.identifier == word
            || IdentifierPattern.stands(task.identifier, for: word) && (try? IdentifierSyntax.check(word)) != nil
    }

    private static func choose(
        _ arguments: Arguments, from catalogue: Catalogue, _ terminal: Terminal
    ) throws(Failure) -> [Choice] {
        let all = catalogue.applications.flatMap { application in
            application.tasks.map {
                Choice(identifier: $0.identifier, isDeclared: $0.handler != .event, application: application)
            }
        }
        if arguments.has("--all") {
            guard !catalogue.hasErrors else { throw BadManifests.failure(catalogue, terminal) }
            let all = all.filter(\.isDeclared)
            guard !all.isEmpty else { throw nothingToRun }
            return all
        }
        var chosen: [Choice] = []
        for word in arguments.words {
            var matches = all.filter { $0.identifier == word }
            if matches.isEmpty {
                matches = all.filter { $0.application.definition.identifier == word && $0.isDeclared }
            }
            if matches.isEmpty {
                for application in catalogue.applications {
                    matches += application.tasks.filter { names($0, by: word) }
                        .map { Choice(identifier: $0.identifier, name: word, application: application) }
                }
            }
            if matches.isEmpty {
                let short = ShortName.matches(word, among: all.map(\.identifier))
                guard short.count < 2 else { throw ShortName.ambiguous(word, short) }
                matches = all.filter { short.contains($0.identifier) }
            }
            guard !matches.isEmpty else {
                if catalogue.hasErrors { throw BadManifests.failure(catalogue, terminal) }
                let near = Nearest.match(for: word, among: catalogue.identifiers)
                throw .usage(
                    "no manifest has this task; \(word); "
                        + (near.map { "did you mean \($0)?" } ?? "see taskhost list for those there are"))
            }
            // Once, however often it is named.
            chosen += matches.filter { match in
                !chosen.contains { $0.identifier == match.identifier && $0.name == match.name }
            }
        }
        return chosen
    }

    private static func settings(of arguments: Arguments) throws(Failure) -> [UInt8] {
        guard let text = arguments.value("--settings") else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(text, maximumBytes: 1 << 20)
        } catch {
            throw .usage(
                "the settings are not JSON; --settings:\(error.position.line):\(error.position.column); \(error)")
        }
        guard case .object = value.content else {
            throw .usage(
                "the settings are not a JSON object; --settings; write something like '{\"folder\": \"/srv\"}'")
        }
        let settings = value.oneLine(of: Array(text.utf8))
        guard settings.count <= Route.settingsBytes else {
            throw .usage(
                "the settings have \(settings.count) bytes, and a run carries at most \(Route.settingsBytes); "
                    + "--settings; put them into a file that the manifest grants, and name that")
        }
        return settings
    }

    // MARK: Measurements

    private static func json(_ summary: RunSeries.Summary) -> JSONOutput {
        .object([
            "runs": JSONOutput(summary.runs as Int?),
            "wallTime": JSONOutput(summary.wallTime.seconds as Double?),
            "runsPerSecond": JSONOutput(summary.rate as Double?),
            "latency": .object([
                "p50": JSONOutput(summary.percentile(0.5).seconds as Double?),
                "p99": JSONOutput(summary.percentile(0.99).seconds as Double?),
                "max": JSONOutput(summary.longest.seconds as Double?),
            ]),
            "outcomes": .object(
                summary.outcomes.map { JSONOutput.Member($0.outcome.name, JSONOutput($0.runs as Int?)) }),
        ])
    }

    private static func text(_ summary: RunSeries.Summary) -> String {
        """
        \(summary.runs) runs in \(summary.wallTime), \(Int(summary.rate)) a second
        latency  p50 \(summary.percentile(0.5))  p99 \(summary.percentile(0.99))  max \(summary.longest)
        \(summary.outcomes.map { "\($0.outcome.name) \($0.runs)" }.joined(separator: "  "))
        """
    }
}
