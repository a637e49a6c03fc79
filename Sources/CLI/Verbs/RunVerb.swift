import Control
import Glibc
import Host
import JSON
import Linux
import Manifests
import TaskModel

/// `taskhost run ID… | --all`
enum RunVerb: Verb {
    static let name = "run"
    static let summary = "run tasks now and wait for their outcome"
    static let help = """
        usage: taskhost run ID… | --all

        Runs tasks now, in the foreground, whatever their conditions and schedules say, and shows what became of them.
        ID is a task's identifier, one for which a task's identifier with * stands, or an application's: then all its
        tasks run. The first Ctrl-C cancels what runs: it is warned; the second kills it. Where a host serves the state folder
        it runs them; then the second Ctrl-C just stops waiting.
        With --manifests and without --state it leaves that host alone: such runs have a state of their own beside it.

        exit status: 0 all succeeded · 1 a handler reported failure · 10 expired · 11 overran · 12 exceededCPU
        13 exceededMemory · 14 crashed · 15 exited or unreported · 16 interrupted or cancelled · 17 refused
        18 exceededDisk · 75 deferred: the handler asks to be called later, which nobody does for such a run
        64 usage · 65 bad manifest · 73 the state folder or the payload cannot be used. With several runs, the largest; 75
        only when the others succeeded.
        """
    static let options: [Option] =
        [.flag("--all", "run every task of every manifest once")] + PayloadOption.options + [
            .valued("--settings", "JSON", "settings instead of the manifest's"),
            .valued("--profile", "NAME", "limits profile: modern, ios7, ios6"),
            .valued("--repeat", "N", "run each N times and print rate and latency"),
            .valued("--concurrency", "K", "runs at once (default 1 with --repeat, else 64)"),
            .flag("--quiet", "do not show what handlers print"),
            .flag("--watch", "show progress, a line a step where no terminal is"),
            .manifests, .state, .config, .json,
        ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.has("--all") != !arguments.words.isEmpty else {
            throw .usage(
                arguments.words.isEmpty
                    ? "nothing to run; taskhost run; name a task (see taskhost list) or write --all"
                    : "--all and identifiers exclude each other; taskhost run; leave one out")
        }
        let settings = try settings(of: arguments)
        var state = try Places.state(arguments)
        if let client = try HostAccess.openIfServed(arguments) {
            guard arguments.has("--manifests"), !arguments.has("--state") else {
                return try ServedRun.run(arguments, terminal, client, settings: settings)
            }
            let own = PrivateState.folder(beside: state, for: arguments.all("--manifests"))
            terminal.note(
                "taskhost: a host serves \(state), with manifests of its own; this run keeps its state in \(own)")
            state = own
        }
        let payload = try PayloadOption.read(arguments, of: name)
        var configuration = try Configuration.read(arguments, terminal)
        let count = try arguments.number("--repeat", in: 1...100_000_000)
        let concurrency = try arguments.number("--concurrency", in: 1...4096)
        let words = Set(arguments.words)
        let catalogue = Catalogue(try Places.manifests(arguments), profile: configuration.profile) { definition in
            words.isEmpty || words.contains(definition.identifier)
                || words.contains { EventTasks.identifiers(of: definition.identifier).contains($0) }
                || definition.tasks.contains { task in words.contains { names(task, by: $0) } }
        }
        let chosen = try choose(arguments, from: catalogue, terminal)

        configuration.concurrency = concurrency ?? (count == nil ? configuration.concurrency : 1)
        let host = try Opening.host(state, configuration, terminal)
        let driver = RunDriver(
            terminal, payload: payload, settings: settings, keepsRecords: count == nil,
            showsOutput: !arguments.isJSON && count == nil && !arguments.has("--quiet"),
            progress: ProgressLine(terminal, isOn: !arguments.isJSON, watches: arguments.has("--watch")), on: host)
        do throws(HostError) {
            var tasks: [(task: TaskIndex, name: String?)] = []
            host.installed.regard(writable: catalogue.writable)
            for application in catalogue.applications where chosen.contains(where: { $0.application === application }) {
                let indices = try host.install(application)
                for (task, index) in zip(application.tasks, indices) {
                    tasks += chosen.filter { $0.identifier == task.identifier }.map { (index, $0.name) }
                }
            }
            try host.restore()
            try driver.run(tasks, times: count ?? 1, atOnce: configuration.concurrency)
            try host.close()
            driver.refresh()
        } catch {
            throw Failure(Opening.status(of: error), error.sentence)
        }
        terminal.clearStatus()
        report(driver, isRepeated: count != nil, arguments, terminal)
        return driver.exitStatus
    }

    // MARK: What to run

    private struct Choice {
        /// Of the task.
        var identifier: String
        /// The one that was asked for, if the task's stands for it.
        var name: String?
        /// The manifest has it; else the host made it of the application's events.
        var isDeclared = true
        var application: InstalledApplication
    }

    /// Whether the word is the task's identifier, or one for which that stands.
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
            guard !all.isEmpty else {
                throw Failure(
                    ExitStatus.badManifest,
                    "no manifest has a task; taskhost run --all; name another folder with --manifests")
            }
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
                "the settings are no JSON; --settings:\(error.position.line):\(error.position.column); \(error)")
        }
        guard case .object = value.content else {
            throw .usage("the settings are no JSON object; --settings; write something like '{\"folder\": \"/srv\"}'")
        }
        let settings = value.oneLine(of: Array(text.utf8))
        guard settings.count <= Route.settingsBytes else {
            throw .usage(
                "the settings have \(settings.count) bytes, and a run carries at most \(Route.settingsBytes); "
                    + "--settings; put them into a file that the manifest grants, and name that")
        }
        return settings
    }

    // MARK: What became of it

    private static func report(_ driver: RunDriver, isRepeated: Bool, _ arguments: Arguments, _ terminal: Terminal) {
        guard isRepeated else { return RunReport.print(driver.records, arguments, terminal) }
        if arguments.isJSON {
            terminal.print(.object(["summary": driver.summary]))
        } else {
            terminal.print(driver.summaryText)
        }
    }
}
