import Control
import JSON
import Linux
import Manifests
import Serving
import Setting
import TaskModel

/// `taskhost forecast [ID…]`
enum ForecastVerb: Verb {
    static let name = "forecast"
    static let summary = "when tasks would run, and why at that time"
    static let help = """
        usage: taskhost forecast [--days N] [--trace FILE] [ID…]

        Plays the manifests and the pending requests on a virtual clock, with the scheduler of taskhost serve, and lists
        what would run when, what it waited for, and what would not run. It starts nothing and changes nothing. ID… lists
        only these tasks, or those of these applications; the others still take their turns.

        The device's conditions come from FILE: one JSON object a line, in order of time,
            {"at": "+2h", "power": "battery", "network": "none"}
        with times in ISO 8601 or relative to now, and the names and values of taskhost device. Without FILE the equally
        long time before now is played again, where a host observed it; for the rest a steady day is assumed: mains, an
        unmetered network and an idle machine. The last line says how much is recorded. Pressure (cpu, memory) lasts
        seconds and is not forecast. Overrides (taskhost device set) are not part of the past, and stay until they are
        reset. The windows of the configuration open and close at their times, unless an override or the trace sets
        them. A run takes the median time of its task's past runs, or a tenth of its budget. Tasks whose runs would be
        refused as things are, for a secret that cannot be handed over, are named.

        With a daemon, the daemon's manifests are played, unless --manifests names others.
        """
    static let options: [Option] = [
        .valued("--days", "N", "how far to look (1 to 366, default 1)"),
        .valued("--trace", "FILE", "how the device's conditions change"), .utc, .manifests, .state, .config,
        .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let days = try arguments.number("--days", in: 1...366) ?? 1
        let trace = try trace(arguments, terminal)
        let served = try HostAccess.openIfServed(arguments)
        if served != nil, arguments.has("--config") {
            throw .usage(
                "a host serves this state, with settings of its own; --config; leave it out, or use another folder with "
                    + "--state")
        }
        var members: [JSONOutput.Member] = [
            .init("days", .integer(Int64(days))),
            .init("identifiers", .array(arguments.words.map(JSONOutput.string))),
        ]
        if let trace { members.append(.init("trace", .string(String(decoding: trace, as: UTF8.self)))) }
        // A host plays its own, unless others are named; without one these are.
        var hasErrors = false
        // Their files are this process's to look at, not the host's.
        var refused: [Refusal]?
        if served == nil || arguments.has("--manifests") {
            let catalogue = try catalogue(arguments, terminal)
            hasErrors = catalogue.hasErrors
            refused = catalogue.applications.flatMap { application in
                let definition = application.definition
                return RunSecrets.sentences(of: definition).filter { (identifier, _) in
                    arguments.words.isEmpty || arguments.words.contains(identifier)
                        || arguments.words.contains(definition.identifier)
                }
            }
            members.append(
                .init(
                    "manifests",
                    .array(
                        try catalogue.applications.map { (application) throws(Failure) in try document(application) })))
        }
        let client =
            if let served { served } else {
                try HostAccess.openAny(arguments, terminal, looks: true, manifests: .none)
            }
        let forecast = try client.document(.playForecast, body: .object(members))
        for identifier in forecast["homeless"]?.array?.compactMap(\.string) ?? [] {
            terminal.note(
                "taskhost: a request is left out; \(identifier): no manifest has the task; see taskhost pending")
        }
        let refusals =
            refused
            ?? (forecast["refused"]?.array ?? []).map { (ListCell.text($0["identifier"]), ListCell.text($0["fault"])) }
        for (identifier, sentence) in refusals {
            terminal.note("taskhost: runs of \(identifier) would be refused as things are; \(sentence)")
        }
        if arguments.isJSON {
            let own = refused.map {
                JSONOutput.array($0.map { ["identifier": .string($0.0), "fault": .string($0.1)] })
            }
            terminal.print(own.map { JSONOutput(forecast).replacing("refused", by: $0) } ?? JSONOutput(forecast))
        } else {
            let text = ForecastText(forecast, terminal.times)
            let tables = text.tables(width: terminal.outWidth)
            if tables.isEmpty { terminal.note("no tasks") } else { terminal.print(tables) }
            if let cut = text.cut { terminal.note(cut) }
            terminal.note(text.conditions(over: .seconds(Int64(days) * 86_400)))
        }
        return hasErrors ? ExitStatus.badManifest : ExitStatus.success
    }

    private typealias Refusal = (identifier: String, sentence: String)

    /// The bytes of the trace, which has no fault; nil: none is given.
    private static func trace(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> [UInt8]? {
        guard let path = arguments.value("--trace") else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(
                Descriptor.open(path, .O_RDONLY), limit: DeviceTrace.maximumBytes, naming: path)
        } catch {
            throw Failure(
                error.code == .EFBIG ? ExitStatus.usage : ExitStatus.cannotCreate,
                "the trace cannot be read; \(error); check the path, or leave --trace out")
        }
        let faults = DeviceTrace(bytes, file: path, from: Clock.moment().time, conditions: .quiet).faults
        guard faults.isEmpty else {
            terminal.note(faults)
            throw .usage("the trace is not used; \(path); correct the faults above", faults)
        }
        return bytes
    }

    private static func catalogue(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Catalogue {
        let configuration = try Configuration.read(arguments, terminal)
        let catalogue = Catalogue(
            try Places.manifests(arguments), profile: configuration.profile, accounts: AccountRules(configuration),
            timeZones: TimeZones(stateFolder: try Places.state(arguments)))
        BadManifests.tell(catalogue, terminal)
        return catalogue
    }

    /// The parts of an application that the host's forecast needs.
    private static func document(_ application: InstalledApplication) throws(Failure) -> JSONOutput {
        let path = application.definition.manifestPath
        do throws(SystemError) {
            let text = try FileSystem.read(
                Descriptor.open(path, .O_RDONLY), limit: ManifestLimits.fileBytes, naming: path)
            return .object([
                "text": .string(String(decoding: text, as: UTF8.self)),
                "isApplication": .bool(application.library?.isApplication == true),
            ])
        } catch {
            throw .badManifest("the manifest cannot be read; \(error); try again")
        }
    }
}
