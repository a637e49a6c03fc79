import Host

/// `taskhost serve`
enum ServeVerb: Verb {
    static let name = "serve"
    static let summary = "schedule tasks as a daemon, and answer the control socket"
    static let help = """
        usage: taskhost serve

        Reads the manifests and runs their tasks when their schedules and requests are due and their conditions hold. It
        rereads the manifests whenever they change. The other verbs find the daemon through its state folder; its API is
        HTTP on the socket control.sock in that folder. Ctrl-C or SIGTERM stops it cleanly: it warns the runs in
        progress, gives them their grace, and keeps pending requests. A second signal kills the runs. SIGHUP rereads the
        manifests, or stops a daemon that was started from a terminal.

        Under systemd it notifies when it is ready (Type=notify), accepts its sockets (socket activation) and feeds the
        watchdog.

        exit status: 0 stopped by a signal · 65 a manifest folder cannot be read · 69 another host serves this state
        folder · 73 the state folder or its socket cannot be used
        """
    static let options: [Option] = [
        .valued("--profile", "NAME", "limits profile: modern, ios7, ios6"), .manifests, .state, .config,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.isEmpty else {
            throw .usage("serve takes no words; \(arguments.words[0]); name manifests with --manifests")
        }
        let configuration = try Configuration.read(arguments, terminal)
        let manifests = try Places.manifests(arguments)
        // A folder that goes away later may come back; one that is not there at the start is a slip of the pen.
        for path in manifests {
            if let fault = Catalogue.fault(of: path) { throw Failure(ExitStatus.badManifest, fault) }
        }
        let host = try Opening.host(try Places.state(arguments), configuration, schedules: true, terminal)
        do throws(HostError) {
            let service = try Service(host: host, manifests: manifests, purpose: .daemon) { line in
                terminal.log("taskhost: \(line)")
            }
            try service.serve()
        } catch {
            throw Failure(Opening.status(of: error), error.sentence)
        }
        return ExitStatus.success
    }
}
