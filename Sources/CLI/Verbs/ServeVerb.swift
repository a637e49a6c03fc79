import Serving
import Setting
import TaskModel

/// `taskhost serve`
enum ServeVerb: Verb {
    static let name = "serve"
    static let summary = "schedule tasks as a daemon, and answer the control socket"
    static let help = """
        usage: taskhost serve [--faults] [--clock virtual]

        Reads the manifests and runs their tasks when their schedules and requests are due and their conditions hold. It
        rereads the manifests whenever they change. The other verbs find the daemon through its state folder; its API is
        HTTP on the socket control.sock in that folder. Ctrl-C or SIGTERM stops it cleanly: it warns the runs in
        progress, gives them their grace, and keeps pending requests. A second signal kills the runs. SIGHUP rereads the
        manifests, or stops a daemon that was started from a terminal.

        Under systemd it notifies when it is ready (Type=notify), accepts its sockets (socket activation) and feeds the
        watchdog.

        Its log goes to systemd's journal, with fields, when standard error leads there, else to standard error as
        sentences; --log-format chooses another form. It has the host's life and each run that ended without success.

        With --faults the daemon's owner can let tasks crash, and the like: taskhost simulate --help. Its log, its
        journal and taskhost status say so.

        With --clock virtual its clock stands still until taskhost simulate advance moves it, for checks of what happens in
        days and weeks. It needs --state with an empty folder, or one that such a daemon made: no other host takes that.

        exit status: 0 stopped by a signal · 65 a manifest folder cannot be read · 69 another host serves this state
        folder · 73 the state folder or its socket cannot be used
        """
    static let options: [Option] = [
        .valued("--profile", "NAME", "limits profile: modern, ios7, ios6"), .manifests, .state, .config,
        .valued("--log-format", "FORM", "how it logs: journal, logfmt, json, text"),
        allowsFaults, clock,
    ]

    static let allowsFaults = Option.flag("--faults", "let taskhost simulate crash tasks, and the like")

    static let clock = Option.valued("--clock", "CLOCK", "machine, or virtual: it stands still until it is moved")

    /// `--clock virtual`
    private static func isVirtual(_ arguments: Arguments) throws(Failure) -> Bool {
        switch arguments.value(clock.name) {
        case nil, "machine": return false
        case "virtual": break
        case let other?: throw .usage("unknown clock \(other); --clock; choose machine or virtual")
        }
        guard arguments.value("--state") != nil else {
            throw .usage(
                "a virtual clock is for no usual state folder; --clock virtual; name an empty one with --state")
        }
        return true
    }

    /// `--log-format`; nil when it is not given.
    static func logFormat(_ arguments: Arguments) throws(Failure) -> LogFormat? {
        guard let name = arguments.value("--log-format") else { return nil }
        if let format = LogFormat(name: name) { return format }
        let names = LogFormat.allCases.map(\.name).joined(separator: ", ")
        throw .usage("unknown form of the log; --log-format \(name); choose one of \(names)")
    }

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name, "name manifests with --manifests")
        let format = try logFormat(arguments)
        let isVirtual = try isVirtual(arguments)
        let configuration = try Configuration.read(arguments, terminal)
        let manifests = try Places.manifests(arguments)
        // A folder that goes away later may come back; one that is not there at the start is a slip of the pen.
        for path in manifests {
            if let fault = Catalogue.fault(of: path) { throw .badManifest(fault) }
        }
        let log = HostLog(format ?? configuration.logFormat, configuration.log)
        defer { log.flush() }
        let state = try Places.state(arguments)
        try Opening.asFailure { () throws(HostError) in
            try Service(
                stateFolder: state, configuration: configuration, manifests: manifests, purpose: .daemon,
                allowsFaults: arguments.has(allowsFaults.name), isVirtual: isVirtual, log: log,
                opening: { terminal.note("taskhost: \($0)") }, say: log.say
            ).serve()
        }
        return ExitStatus.success
    }
}
