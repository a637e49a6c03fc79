import Control
import JSON
import Linux
import Setting
import TaskModel

/// `taskhost status`
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "whether a host serves, and what it does"
    static let help = """
        usage: taskhost status

        Shows the host that serves the state folder: its version, since when it runs, its folders, how it controls
        process trees, and how many runs, requests and transfers it has. FAILED counts the runs of the last 24 hours
        that ended with anything but success. Manifests and tasks that it does not use are named with the
        reason, and so is a host of another version than this program: restart that.

        exit status: 0 a host serves · 69 none does.
        """
    static let options: [Option] = [.utc, .state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name, "name a host by its state folder with --state")
        guard let client = try HostAccess.openIfServed(arguments) else {
            let state = try Places.state(arguments)
            guard arguments.isJSON else {
                throw HostAccess.notServed(state)
            }
            terminal.print(["serving": false, "state": .string(state), "command": .string(Release.version)])
            return ExitStatus.unreachable
        }
        let host = try client.document(.host)
        let failed = try failures(client)
        let (paused, quarantined) = (try pauses(client), try quarantined(client))
        let unused = try UnusedWork(of: client)
        guard !arguments.isJSON else {
            terminal.print(
                JSONOutput(host).adding("serving", true).adding("command", .string(Release.version))
                    .adding("failedOfLate", .integer(failed))
                    .adding("pauses", .array(paused.map { JSONOutput($0) }))
                    .adding("quarantined", .array(quarantined.map(JSONOutput.string)))
                    .adding("unused", unused.document))
            return ExitStatus.success
        }
        terminal.print(text(host, failed: failed, paused: paused, quarantined: quarantined, terminal.times))
        for line in unused.shownLines { terminal.note("taskhost: \(line)") }
        if let version = host["version"]?.string, version != Release.version {
            terminal.note(
                "taskhost: the host is version \(version) and this program \(Release.version); restart the host to update it"
            )
        }
        return ExitStatus.success
    }

    private static func text(
        _ host: JSONValue, failed: Int64, paused: [JSONValue], quarantined: [String], _ times: ShownTimes
    ) -> String {
        func count(_ key: String) -> String { "\(host[key]?.integer ?? 0)" }
        var facts = Facts()
        facts.add("host", "serving, version \(ListCell.text(host["version"])), process \(count("pid"))")
        facts.add("since", host.time("startedAt").map { times.both($0) })
        facts.add("state", host["state"]?.string)
        facts.add("manifests", host["manifests"]?.array?.compactMap(\.string).joined(separator: ", "))
        facts.add("profile", host["profile"]?.string)
        facts.add("process trees", host["tier"]?.string)
        if host["clock"]?.string == "virtual" { facts.add("clock", "virtual, \(ListCell.text(host["time"]))") }
        if host["faults"]?.bool == true { facts.add("faults", "allowed: see taskhost simulate --help") }
        facts.add("applications", count("applications"))
        facts.add("running", count("running"))
        facts.add("pending", count("pending"))
        facts.add("failed in 24 h", "\(failed)")
        if !quarantined.isEmpty { facts.add("quarantined", quarantined.joined(separator: ", ")) }
        for pause in paused {
            let name = pause["identifier"]?.string ?? "all work"
            facts.add("paused", "\(name), until \(times.textIfAny(pause["until"]) ?? "taskhost resume")")
        }
        facts.add("fleet", FleetText.words(host["fleet"], times))
        let transfers = host["transfers"]
        facts.add(
            "transfers",
            "\(transfers?["running"]?.integer ?? 0) active, \(transfers?["waiting"]?.integer ?? 0) waiting")
        return facts.text
    }

    /// Runs looked at; a number of failures that reaches it means "at least".
    private static let mostRuns = 10_000

    private static func failures(_ client: RemoteClient) throws(Failure) -> Int64 {
        let since = Clock.moment().time - TimeSpan.seconds(86_400)
        let failures = Outcome.allCases.filter { $0 != .succeeded }.map(\.name).joined(separator: ",")
        let query = [(name: "since", value: since.iso8601), ("outcome", failures), ("limit", "\(mostRuns)")]
        return Int64(try client.document(.listRuns, query: query)["runs"]?.array?.count ?? 0)
    }

    private static func pauses(_ client: RemoteClient) throws(Failure) -> [JSONValue] {
        // A host of an earlier version has no such route.
        try client.documentIfThere(.listPauses, "")?["pauses"]?.array ?? []
    }

    private static func quarantined(_ client: RemoteClient) throws(Failure) -> [String] {
        let applications = try client.document(.listApplications)["applications"]?.array ?? []
        return applications.filter { $0["quarantinedUntil"]?.string != nil }.compactMap { $0["identifier"]?.string }
    }
}
