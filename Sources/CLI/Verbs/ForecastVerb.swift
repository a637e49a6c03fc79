import Control
import Glibc
import Host
import JSON
import Linux
import Manifests
import Scheduling
import TaskModel

/// `taskhost forecast [ID…]`
enum ForecastVerb: Verb {
    static let name = "forecast"
    static let summary = "when tasks would run, and why then"
    static let help = """
        usage: taskhost forecast [--days N] [--trace FILE] [ID…]

        Plays the manifests and the pending requests on a virtual clock, with the scheduler of taskhost serve, and lists
        what would run when, what it waited for, and what would not run. Nothing is started, nothing is changed. ID… lists only
        these tasks, or those of these applications; the others still take their turns.

        The device's conditions come from FILE: one JSON object a line, in the order of time,
            {"at": "+2h", "power": "battery", "network": "none"}
        with times in ISO 8601 or counted from now, and the names and values of taskhost device. Without FILE the time as long
        before now is played again, as far as a host watched it; for the rest a steady day is assumed: mains, an unmetered
        network and a machine that nobody uses. The last line says how much is on record. Pressure (cpu, memory) lasts
        seconds and is not foreseen; what a person has set (taskhost device set) is none of the past, and stays as long as it
        is set. The windows of the configuration open and close at their times, unless a person or the trace says what they are.
        A run takes the median of its task's past runs, or a tenth of its budget.

        Where a host serves the state folder its own manifests are played, unless --manifests names others.
        """
    static let options: [Option] = [
        .valued("--days", "N", "how far to look (1 to 366, default 1)"),
        .valued("--trace", "FILE", "how the device's conditions change"), .manifests, .state, .config, .json,
    ]

    /// Runs at most: those of a task every minute for two weeks.
    private static let mostRuns = 20_000

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let days = try arguments.number("--days", in: 1...366) ?? 1
        let length = TimeSpan.seconds(Int64(days) * 86_400)
        let start = Clock.moment().time
        let configuration = try Configuration.read(arguments, terminal)
        let past = try RecordAccess.openIfAny(arguments)
        let zones = TimeZones(stateFolder: try Places.state(arguments))
        let windows =
            configuration.windows.isEmpty ? nil : WorkWindows(configuration.windows, zone: zones.rules)
        let conditions = try conditions(arguments, past, windows, from: start, length: length, terminal)
        let (manifests, profile) = try manifests(arguments, configuration)
        let catalogue = Catalogue(manifests, profile: profile, timeZones: zones)
        for sentence in catalogue.unreadable { terminal.note("taskhost: \(sentence)") }
        if catalogue.diagnostics.contains(where: { $0.severity == .error }) {
            terminal.note("taskhost: \(BadManifests.summary(catalogue)); see taskhost validate")
        }
        let setup = try ForecastSetup(catalogue, zones, configuration.schedulerLimits, past, at: start)
        var wanted: [String] = []
        for word in arguments.words {
            let named = setup.identifiers(namedBy: word)
            guard !named.isEmpty else { throw .usage("there is no such task; \(word); see taskhost list") }
            wanted += named
        }
        for identifier in setup.homeless {
            terminal.note(
                "taskhost: a request is left out; \(identifier): no manifest has the task; see taskhost pending")
        }
        var forecast = Forecast(setup.scheduler, lengths: setup.lengths, from: start, limit: mostRuns)
        forecast.play(
            over: conditions.changes, until: start + length)
        let report = ForecastReport(
            forecast: forecast, setup: setup, conditions: conditions, start: start, wanted: wanted)
        if arguments.isJSON {
            terminal.print(report.json)
        } else {
            let text = report.text
            if text.isEmpty { terminal.note("no tasks") } else { terminal.print(text) }
            if forecast.isCut { terminal.note("only the first \(mostRuns) runs, until \(forecast.end.iso8601)") }
            terminal.note(conditions.sentence)
        }
        return catalogue.hasErrors ? ExitStatus.badManifest : ExitStatus.success
    }

    private static func conditions(
        _ arguments: Arguments, _ past: (any Past)?, _ windows: WorkWindows?, from start: Timestamp,
        length: TimeSpan, _ terminal: Terminal
    ) throws(Failure) -> ExpectedConditions {
        guard let path = arguments.value("--trace") else {
            return ExpectedConditions(
                try past?.device(from: start - length, to: start), overrides: try past?.overrides() ?? [:],
                windows: windows, from: start, length: length)
        }
        let trace: DeviceTrace
        do throws(SystemError) {
            trace = try DeviceTrace(path: path, from: start, conditions: .quiet)
        } catch {
            throw Failure(
                error.code == EFBIG ? ExitStatus.usage : ExitStatus.cannotCreate,
                "the trace cannot be read; \(error); check the path, or leave --trace out")
        }
        for fault in trace.faults { terminal.note("\(fault)") }
        guard trace.faults.isEmpty else {
            throw .usage("the trace is not used; \(path); correct what stands above")
        }
        let first = Forecast.Change(at: start, conditions: .quiet)
        return ExpectedConditions(
            trace: [first] + trace.changes, windows: trace.names.contains(.window) ? nil : windows, from: start,
            length: length)
    }

    /// Those that are named; else those of the host that serves the state folder, with its limits profile.
    private static func manifests(
        _ arguments: Arguments, _ configuration: HostConfiguration
    ) throws(Failure) -> ([String], LimitsProfile) {
        if arguments.all("--manifests").isEmpty,
            let host = try HostAccess.openIfServed(arguments)?.document(.host),
            let manifests = host["manifests"]?.array?.compactMap(\.string), !manifests.isEmpty
        {
            let profile = LimitsProfile.all.first { $0.name == host["profile"]?.string }
            return (manifests, profile ?? configuration.profile)
        }
        return (try Places.manifests(arguments), configuration.profile)
    }
}
