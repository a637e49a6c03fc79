import Conditions
import Control
import Glibc
import Linux
import Manifests
import Scheduling
import Store
package import TaskModel

/// A host with its manifests, its device and its control API: as a daemon, or for one verb in the verb's own process.
/// Thread: the one that made it.
package final class Service {
    package enum Purpose: Sendable {
        /// Starts what is due, answers the control socket, stops when it is told to.
        case daemon
        /// Answers one verb while no daemon serves this state: starts nothing by itself.
        case verb
    }

    package let host: Host
    package let api: HostAPI
    private let purpose: Purpose
    private let manifests: [String]
    /// Says something to whoever started it: a line without its end.
    private let say: (String) -> Void
    private var monitor: DeviceMonitor?
    private var notifier: SystemdNotifier?

    /// Reads the manifests, takes up what is pending, and begins to watch the machine.
    package init(
        host: Host, manifests: [String], purpose: Purpose, say: @escaping (String) -> Void
    ) throws(HostError) {
        self.host = host
        self.manifests = manifests
        self.purpose = purpose
        self.say = say
        api = HostAPI(host: host)
        host.audience = api.hub
        host.refreshClock()
        for application in read().applications { try host.install(application) }
        do throws(StoreError) {
            try host.restoreRequests { _ in true }
            try host.restoreOverrides()
        } catch {
            throw .store(error)
        }
        try watch()
        if purpose == .daemon { try serveSocket() }
        host.didSettle = { [unowned self] application in api.settleSimulations(of: application) }
        api.reload = { [unowned self] () throws(HostError) in try reload() }
    }

    /// Serves until it is told to stop and everything has ended.
    package func serve() throws(HostError) {
        host.begin()
        notifier?.ready("serving \(host.applications.count) applications")
        say("serving \(host.state.path) with \(host.tasks.count) tasks of \(host.applications.count) applications")
        try host.run { host.isStopping && host.isQuiet }
        notifier?.stopping()
        host.note(.hostStopped, "", "process \(getpid())")
        api.hub.finish()
        try host.close()
    }

    // MARK: Sources

    private func watch() throws(HostError) {
        let monitor = DeviceMonitor { [unowned host] conditions, sources in
            host.observe(conditions, sources: sources)
        }
        self.monitor = monitor
        try host.add(monitor)
        guard purpose == .daemon else { return }
        try host.add(
            ManifestWatch(folders: manifests) { [unowned self] _ in
                // What is wrong was said; the old form stays.
                _ = try? reload()
            })
        try host.add(
            ClockWatch { [unowned host] in
                host.note(.clockJump, "", "the clock was set, or the machine slept; dates were looked at again")
            })
    }

    private func serveSocket() throws(HostError) {
        host.note(.hostStarted, "", "process \(getpid())")
        let notifier = SystemdNotifier()
        self.notifier = notifier
        var listeners: [ControlSocket] = []
        do throws(SystemError) {
            for descriptor in SystemdNotifier.listeners() {
                listeners.append(try ControlSocket(activated: Descriptor(adopting: descriptor)))
            }
        } catch {
            throw .system(error)
        }
        if listeners.isEmpty {
            do throws(ControlSocketError) {
                listeners = [try ControlSocket.open(inState: host.state.path)]
            } catch {
                throw .control("\(error)")
            }
        }
        let readers = Set(host.configuration.readers)
        let own = geteuid()
        try host.add(
            ControlServer(listeners: listeners, handler: api) { user, _ in
                user == 0 || user == own ? .all : readers.contains(user) ? .read : .none
            })
        try host.add(notifier)
    }

    // MARK: Manifests

    private func read() -> Catalogue {
        let catalogue = Catalogue(manifests, profile: host.configuration.profile)
        for diagnostic in catalogue.diagnostics { say("\(diagnostic)") }
        for sentence in catalogue.unreadable { say(sentence) }
        return catalogue
    }

    /// Reads the manifests again.
    private func reload() throws(HostError) -> HostAPI.ReloadReport {
        notifier?.reloading()
        let catalogue = read()
        let count = try host.reload(catalogue)
        notifier?.ready("serving \(count) applications")
        say("manifests read again: \(count) applications")
        return HostAPI.ReloadReport(
            applications: count, sentences: catalogue.diagnostics.map { "\($0)" } + catalogue.unreadable)
    }
}
