package import Control
import Host
package import Linux
package import Setting

// A service as the command line has it, which knows no host.
extension Service {
    /// Opens the host of a state folder, and serves it.
    ///
    /// - Parameters:
    ///   - stay: how long it has the folder.
    ///   - allowsFaults: its user may let faults happen to tasks.
    ///   - isVirtual: its clock stands still until somebody moves it, and its record is marked so.
    ///   - opening: receives a message about steps of the opening that take long; nil: `say` does.
    package convenience init(
        stateFolder: String, for stay: StateFolder.Stay = .lasting, configuration: HostConfiguration,
        manifests: [String], purpose: Purpose, allowsFaults: Bool = false, isVirtual: Bool = false,
        log: HostLog? = nil, opening: ((String) -> Void)? = nil, say: @escaping (String) -> Void
    ) throws(HostError) {
        let host = try Host(
            stateFolder: stateFolder, for: stay, configuration: configuration, schedules: purpose == .daemon,
            allowsFaults: allowsFaults, isVirtual: isVirtual,
            openRecord: isVirtual ? RecordOpening.openVirtual : RecordOpening.open, say: opening ?? say)
        try self.init(host: host, manifests: manifests, purpose: purpose, log: log, say: say)
    }

    /// Adds a source of events to its loop.
    package func add(_ source: any EventSource) throws(HostError) { try host.add(source) }

    /// The reply of the control API; nil: the host gave none.
    package func reply(to request: ControlRequest) throws(HostError) -> ControlReply? {
        var reply: ControlReply?
        host.decider.refreshClock()
        handler.handle(request) { reply = $0 }
        try host.run { reply != nil }
        return reply
    }

    /// Turns until `isDone`, which is called after each turn.
    package func run(until isDone: () -> Bool) throws(HostError) { try host.run(until: isDone) }

    /// Ends every worker, and gives the state folder back.
    package func close() throws(HostError) { try host.close() }
}
