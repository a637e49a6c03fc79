import Fleet
import JSON

/// `taskhost fleet [init | drain | resume | rollout]`
enum FleetVerb: Verb {
    static let name = "fleet"
    static let summary = "several hosts that share requests: list, init, drain, resume, rollout"
    static let help = """
        usage: taskhost fleet [--database TEXT]
               taskhost fleet init DATABASE
               taskhost fleet drain HOST | resume HOST
               taskhost fleet rollout [MANIFEST|APPLICATION --percent N | APPLICATION --withdraw]

        Several hosts share requests through a PostgreSQL database: any of them may run a request, and one does. Without a
        word it lists the hosts. init makes the schema in a database, in one transaction, or says that it is there.
        A host joins with "fleet": {"database": TEXT} in its configuration. drain: the host gets no new requests; what it
        has goes on.

        rollout gives a manifest to so many percent of the hosts that have "manifests": true in "fleet" of their
        configuration, to one at least; the others keep what they have. 100: to all, for good. 0: takes it back. With the
        application's identifier it goes on with the one that is being rolled out. --withdraw takes the application's
        manifests of the fleet from all hosts. Without a word: what is rolled out, and how many hosts have it.

        TEXT and DATABASE are connection strings of libpq: 'service=NAME' or postgresql://HOST/DATABASE. A password stands
        in ~/.pgpass or in the service file.

        taskhost submit ID --fleet shares a request; list, pending, history, show, logs, why and cancel take --fleet as well.

        exit status: 0 · 1 the database refuses it · 64 usage · 69 the database cannot be reached, or libpq is missing
        """
    static let options: [Option] = [
        .valued("--database", "TEXT", "the fleet's database, else that of the configuration"),
        .valued("--percent", "N", "with rollout: to so many of the hosts that take manifests, 0 to 100"),
        .flag("--withdraw", "with rollout: no host has the application's manifest of the fleet any more"),
        .utc, .state, .config, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        switch arguments.words.first {
        case nil:
            let session = try FleetOption.open(arguments, terminal)
            let (hosts, leased) = try FleetOption.reading { () throws(FleetError) in
                (try session.hosts(), try session.leasedRequests())
            }
            FleetLists.hosts(hosts, leased, arguments, terminal)
        case "init": try makeSchema(arguments, terminal)
        case "drain": try drain(arguments, terminal, true)
        case "resume": try drain(arguments, terminal, false)
        case "rollout": try FleetRollout.run(arguments, terminal)
        case let word?:
            throw .unknownWord(
                word, of: name, known: ["init", "drain", "resume", "rollout"],
                "write init, drain, resume or rollout, or nothing")
        }
        return ExitStatus.success
    }

    private static func makeSchema(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        guard arguments.words.count <= 2 else {
            throw .usage("one database at a time; taskhost fleet init; write one connection string")
        }
        let session =
            arguments.words.count == 2
            ? try FleetOption.connect(arguments.words[1]) : try FleetOption.connect(arguments, terminal)
        let found = try FleetOption.reading { () throws(FleetError) in try session.makeSchema() }
        let version = FleetSchema.version
        let words =
            switch found {
            case version: "the fleet's schema is there, in version \(version); \(session.place); nothing was changed"
            case 0:
                """
                the fleet's schema, version \(version), is made; \(session.place)
                next: GRANT taskhost_host TO the user of each host, then "fleet": {"database": …} in its configuration
                """
            default:
                """
                the fleet's schema is version \(version) now, and was \(found); \(session.place)
                next: install this taskhost on every host; older ones wait until then
                """
            }
        terminal.print(
            .object([
                .init("version", .integer(Int64(version))), .init("made", .bool(found == 0)),
                .init("migratedFrom", 1..<version ~= found ? .integer(Int64(found)) : .null),
                .init("place", .string(session.place)),
            ]),
            or: words, for: arguments)
    }

    private static func drain(_ arguments: Arguments, _ terminal: Terminal, _ isDraining: Bool) throws(Failure) {
        guard arguments.words.count == 2 else {
            throw .usage("which host; taskhost fleet \(arguments.words[0]); name one, see taskhost fleet")
        }
        let host = arguments.words[1]
        let session = try FleetOption.open(arguments, terminal)
        guard try FleetOption.reading({ () throws(FleetError) in try session.drain(host, isDraining) }) else {
            throw Failure(
                ExitStatus.fault, "no such host; \(JSONWriter.quoted(host)) in \(session.place); see taskhost fleet")
        }
        terminal.print(
            .object([.init("host", .string(host)), .init("draining", .bool(isDraining))]),
            or: isDraining ? "\(host) gets no new requests; what it has goes on" : "\(host) gets requests again",
            for: arguments)
    }
}
