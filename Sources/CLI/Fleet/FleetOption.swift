import Fleet
import Setting

/// `--fleet` and `--database`, as several verbs take them.
enum FleetOption {
    static let fleet = Option.flag("--fleet", "of the fleet, in place of this host")
    static let database = Option.valued(
        "--database", "TEXT", "with --fleet: the fleet's database, else that of the configuration")
    static let options = [fleet, database]

    /// A connection to the fleet of `--database`, or else of the configuration.
    static func open(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> FleetSession {
        let session = try connect(arguments, terminal)
        try reading { () throws(FleetError) in try session.requireVersion() }
        return session
    }

    /// The same, with a fleet of whichever version, or none.
    static func connect(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> FleetSession {
        var text = arguments.value(database.name)
        if text == nil { text = try Configuration.read(arguments, terminal).fleet?.database }
        guard let text else {
            throw .usage(
                "no fleet is configured; taskhost; write --database 'service=NAME', or \"fleet\" into the configuration"
            )
        }
        return try connect(text)
    }

    static func connect(_ database: String) throws(Failure) -> FleetSession {
        try reading { () throws(FleetError) in try FleetSession(ConnectionOptions(database)) }
    }

    /// What a fleet refuses, as the verb's failure.
    static func reading<R>(_ body: () throws(FleetError) -> R) throws(Failure) -> R {
        do throws(FleetError) { return try body() } catch {
            switch error {
            case .options: throw .usage(error.sentence)
            case .library, .unreachable: throw .unreachable(error.sentence)
            case .database: throw Failure(ExitStatus.fault, error.sentence)
            }
        }
    }
}
