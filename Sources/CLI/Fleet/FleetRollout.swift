import Control
import Fleet
import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// `taskhost fleet rollout`: manifests for the hosts that take them.
enum FleetRollout {
    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        guard arguments.words.count <= 2 else {
            throw .usage("one manifest at a time; taskhost fleet rollout; name a file or an application")
        }
        guard arguments.words.count == 2 else { return try list(arguments, terminal) }
        let word = arguments.words[1]
        if arguments.has("--withdraw") { return try withdraw(word, arguments, terminal) }
        guard let percent = arguments.value("--percent") else {
            throw .usage("to how many hosts; taskhost fleet rollout \(word); write --percent N, such as --percent 10")
        }
        guard let percent = Int(percent), (0...100).contains(percent) else {
            throw .usage("no percentage; --percent \(percent); write a whole number from 0 to 100")
        }
        try roll(word, percent, arguments, terminal)
    }

    private static func roll(
        _ word: String, _ percent: Int, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        let isFile = (try? FileSystem.followedFacts(of: word)) != nil
        if !isFile, word.contains("/") || word.hasSuffix(".json") {
            throw Failure(ExitStatus.fault, "no such file; \(word); name a manifest, or an application that has one")
        }
        let manifest = isFile ? try read(word, arguments, terminal) : nil
        let application = manifest?.application ?? word
        let session = try FleetOption.open(arguments, terminal)
        let (row, hosts) = try FleetOption.reading { () throws(FleetError) in
            try session.rollOut(application, manifest: manifest?.text, percent: percent)
            return (try session.rollouts().first { $0.application == application }, try session.hosts())
        }
        let takers = hosts.filter { $0.state == "live" && $0.standing.rollouts != nil }.count
        terminal.print(
            row?.json(among: hosts)
                ?? .object([.init("application", .string(application)), .init("percent", .integer(0))]),
            or: words(application, percent, takers), for: arguments)
    }

    private static func words(_ application: String, _ percent: Int, _ takers: Int) -> String {
        if percent == 0 { return "the manifest of \(application) is taken back; see taskhost fleet rollout" }
        guard takers > 0 else {
            return
                "\(application) is recorded; no live host takes manifests; write \"manifests\": true into \"fleet\" of "
                + "their configuration"
        }
        let first = (takers * percent + 99) / 100
        return switch percent {
        case 100: "\(application) goes to all \(takers) hosts that take manifests; see taskhost fleet rollout"
        default: "\(application) goes to \(first) of \(takers) hosts that take manifests; see taskhost fleet rollout"
        }
    }

    /// It is good here, and means the same on every host.
    private static func read(
        _ path: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> (application: String, text: String) {
        let accounts = AccountRules(try Configuration.read(arguments, terminal))
        let catalogue = Catalogue([path], profile: .modern, accounts: accounts).strict
        guard !catalogue.hasErrors else { throw BadManifests.failure(catalogue, terminal) }
        guard catalogue.applications.count == 1, let application = catalogue.applications.first?.definition.identifier
        else {
            throw .usage("one manifest at a time; \(path); name a file with one application")
        }
        let text: String
        do throws(SystemError) { text = try FileText.read(path, limit: FleetManifest.mostBytes) } catch {
            throw Failure(ExitStatus.fault, "the manifest cannot be rolled out; \(error); at most 256 KiB can be")
        }
        if let place = relativePlace(in: text) {
            throw Failure(
                ExitStatus.badManifest,
                "the manifest names a file beside it; \(path): \(place); write an absolute path that every host has")
        }
        return (application, text)
    }

    /// A library, the program of a command, or anything else, that is found from the manifest's folder; nil: there is none.
    private static func relativePlace(in text: String) -> String? {
        if text.contains("$MANIFEST") { return "$MANIFEST" }
        guard let document = try? JSONParser.parse(text, maximumBytes: FleetManifest.mostBytes) else { return nil }
        if let library = document["library"]?.string, !library.hasPrefix("/") { return library }
        guard case .object(let tasks)? = document["tasks"]?.content else { return nil }
        return tasks.lazy.compactMap { $0.value["handler"]?["command"]?.array?.first?.string }
            .first { $0.contains("/") && !$0.hasPrefix("/") }
    }

    private static func withdraw(
        _ application: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        guard try FleetOption.reading({ () throws(FleetError) in try session.withdraw(application) }) else {
            throw Failure(
                ExitStatus.fault,
                "nothing of it is rolled out; \(JSONWriter.quoted(application)) in \(session.place); see taskhost fleet rollout"
            )
        }
        terminal.print(
            .object([.init("application", .string(application)), .init("withdrawn", .bool(true))]),
            or: "the hosts lose the manifest of \(application) that they had from the fleet", for: arguments)
    }

    private static func list(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        let (rows, hosts) = try FleetOption.reading { () throws(FleetError) in
            (try session.rollouts(), try session.hosts())
        }
        var table = TextTable(
            ["APPLICATION", "PERCENT", "HAVE IT", "MANIFEST", "BEFORE", "CHANGED", "BY"], right: ["PERCENT"],
            whole: ["APPLICATION"])
        for row in rows {
            let (takers, having) = row.hosts(among: hosts)
            table.add([
                row.application, "\(row.percent)", "\(having) of \(takers) hosts",
                String((row.coming ?? row.settled ?? "-").prefix(12)),
                row.coming == nil ? "-" : row.settled.map { String($0.prefix(12)) } ?? "none",
                row.changed.map { terminal.times.near($0) } ?? "-", row.changedBy,
            ])
        }
        terminal.print(
            .object([.init("rollouts", .array(rows.map { $0.json(among: hosts) }))]),
            or: rows.isEmpty
                ? "no manifest is rolled out; taskhost fleet rollout MANIFEST --percent 10 begins"
                : table.text(width: terminal.outWidth), for: arguments)
    }
}
