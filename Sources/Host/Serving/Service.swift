import Conditions
package import Control
import Linux
import Manifests
import Record
import Scheduling
import TaskModel

/// A host with its manifests, its device and its control API: as a daemon, or for one verb in the verb's own process.
/// Thread: the one that made it.
package final class Service {
    package enum Purpose: Sendable {
        /// Starts due work, answers the control socket, stops on request.
        case daemon
        /// Answers one verb while no daemon serves this state folder: starts nothing on its own.
        case verb
        /// Runs the requested tasks, regardless of conditions: it watches nothing.
        case runs
    }

    package let host: Host
    private let api: HostAPI
    /// Answers requests of the control API.
    package var handler: any ControlHandler { api }
    private let purpose: Purpose
    private let manifests: [String]
    private let reader: ManifestReader
    private var reloading: Reloading?
    private var zones: ZoneFollowing?
    /// nil: none are configured.
    private var windows: WindowWatch?
    /// Logs a line for the user who started it, without its end.
    private let say: (String) -> Void
    private var monitor: DeviceMonitor?
    private var notifier: SystemdNotifier?
    /// Whether the system bus answers, according to the journal; nil before the first complete observation.
    private var hasBus: Bool?

    /// Reads the manifests, restores pending requests, and begins to watch the machine.
    package init(
        host: Host, manifests: [String], purpose: Purpose, say: @escaping (String) -> Void
    ) throws(HostError) {
        self.host = host
        self.manifests = manifests
        self.purpose = purpose
        self.say = say
        reader = ManifestReader(manifests, profile: host.place.configuration.profile, verifiesDigests: false)
        api = HostAPI(host: host, manifests: manifests.map(Self.absolute))
        host.audience = api.hub
        if purpose == .daemon { host.runs.announcer.say = say }
        host.decider.refreshClock()
        if purpose == .daemon {
            try watchManifests()
            zones = ZoneFollowing(host: host) { [unowned self] in windows?.renew() }
        }
        try readManifests()
        try host.restore()
        if purpose != .runs { try watchDevice() }
        if purpose == .daemon { try serveSocket() }
        try host.add(api)
        if purpose == .verb { try answerOnly() }
        try addReloading()
    }

    /// Installs applications that were read elsewhere.
    ///
    /// - Parameter writable: what all applications may write, these or others.
    package func install(_ applications: [InstalledApplication], writable: [String]) throws(HostError) {
        host.installed.regard(writable: writable)
        for application in applications { try host.install(application) }
    }

    /// For clients in another folder.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = FileSystem.realPath(".") else { return path }
        return folder + "/" + path
    }

    /// Nothing starts on its own. The machine is observed before the first request.
    private func answerOnly() throws(HostError) {
        host.decider.scheduler.startsByItself = false
        host.begin()
        try settleDevice()
    }

    /// Serves until it is asked to stop and everything has ended.
    package func serve() throws(HostError) {
        try settleDevice()
        hasBus = monitor?.busFault == nil
        host.begin()
        do throws(StoreError) {
            try host.applications.introduce(host.installed.applications.indices)
        } catch {
            throw .store(error)
        }
        notifier?.ready(status: summary)
        say("serving \(host.place.state.path): \(summary)")
        host.decider.forgetLongestTurn()
        try host.run { host.isStopping }
        notifier?.stopping(status: "stopping; runs have their grace")
        try host.run { host.isQuiet }
        host.note(.hostStopped, "", "process \(ThisProcess.pid)")
        api.hub.finish()
        try host.close()
    }

    /// Until every source has answered, or is known to be missing: otherwise work would start only to expire.
    private func settleDevice() throws(HostError) {
        try host.run { monitor?.isSettled != false || host.isStopping }
    }

    // MARK: Sources

    private func watchDevice() throws(HostError) {
        let monitor = DeviceMonitor { [unowned self] conditions, sources in
            host.device.observe(conditions, sources: sources)
            noteBus()
        }
        self.monitor = monitor
        host.device.monitor = monitor
        monitor.delaysSleep = purpose == .daemon
        try host.add(monitor)
        let profile = host.place.configuration.profile
        if purpose == .daemon && profile.keepsAwake {
            try host.add(AwakeKeeper(profile, monitor, host.decider, host.runs.announcer))
        }
        if !host.place.configuration.windows.isEmpty {
            let windows = WindowWatch(
                host.place.configuration.windows, host.installed.timeZones, host.decider, host.device)
            self.windows = windows
            try host.add(windows)
        }
        guard purpose == .daemon else { return }
        if let watch { try host.add(watch) }
        try zones?.begin()
        try host.add(
            ClockWatch { [unowned host] jump in
                guard jump.isNotable else { return }
                host.note(.clockJump, "", "the clock moved by \(jump.step), after \(jump.slept) of sleep")
                host.transfers.calendarMoved(by: jump.step)
            })
    }

    /// Notes in the journal that the system bus was lost, or is back: its conditions are unknown without it.
    private func noteBus() {
        guard let monitor, let hadBus = hasBus else { return }
        let fault = monitor.busFault
        guard hadBus != (fault == nil) else { return }
        hasBus = !hadBus
        if let fault {
            host.note(.busLost, "", "\(fault); conditions that only it reports are unknown until it is back")
        } else {
            host.note(.busFound, "", "the system bus answers")
        }
    }

    private func serveSocket() throws(HostError) {
        host.note(.hostStarted, "", "process \(ThisProcess.pid)")
        let notifier = SystemdNotifier()
        self.notifier = notifier
        var listeners: [ControlSocket] = []
        let state = host.place.state.path
        do throws(ControlSocketError) {
            for listener in ActivatedListener.takeAll() where listener.isUnix {
                // Verbs look in one place: a link there leads to the first listener.
                listeners.append(
                    try ControlSocket.take(
                        Descriptor(adopting: listener.descriptor), forState: listeners.isEmpty ? state : nil))
            }
            if listeners.isEmpty {
                listeners = [
                    try ControlSocket.open(inState: state, isPublic: !host.place.configuration.readers.isEmpty)
                ]
            }
        } catch {
            throw .controlSocket(error)
        }
        let readers = Set(host.place.configuration.readers)
        let own = ThisProcess.user
        try host.add(
            ControlServer(listeners: listeners, handler: api) { user, _ in
                user == 0 || user == own ? .all : readers.contains(user) ? .read : .none
            })
        try host.add(notifier)
    }

    // MARK: Manifests

    private var watch: ManifestWatch?

    /// Before they are read first: no change falls between.
    private func watchManifests() throws(HostError) {
        let folders = manifests.map { path in
            let place = FilePlace(path)
            let isFolder = (try? FileSystem.followedFacts(of: path))?.isFolder ?? true
            return isFolder ? path : place.folder
        }
        do throws(SystemError) {
            watch = try ManifestWatch(folders: folders) { [unowned self] changes in reloading?.read(changes) }
        } catch {
            throw .system(error)
        }
    }

    private var summary: String {
        "\(host.installed.presentTasks) tasks of \(host.installed.presentApplications) applications, "
            + "\(host.decider.scheduler.pendingCount) requests pending"
    }

    /// All of them at once, before anything is served.
    private func readManifests() throws(HostError) {
        reader.begin(.all)
        while reader.step() {}
        let catalogue = Catalogue(reader)
        for diagnostic in catalogue.diagnostics { say("\(diagnostic)") }
        for sentence in catalogue.unreadable { say(sentence) }
        for entry in reader.found {
            for case .offered(let application) in reader.changes(of: entry) { try host.install(application) }
        }
    }

    /// Reads again what changed, or all when it is asked to.
    private func addReloading() throws(HostError) {
        let reloading = Reloading(
            reader, of: host, say: say, willRead: { [unowned self] in notifier?.reloading() },
            didRead: { [unowned self] in
                notifier?.ready(status: summary)
                say("read the manifests again: \(summary)")
            })
        self.reloading = reloading
        try host.add(reloading)
        api.reload = { [unowned reloading, weak zones] answer in
            reloading.readAll(answer)
            zones?.look()
        }
        // A terminal that closes takes its programs with it; without one, SIGHUP is a request to reload, as usual for
        // daemons.
        guard purpose == .daemon, !ControllingTerminal.isThere else { return }
        host.onHangup = { [unowned self] in
            say("SIGHUP: reading the manifests again")
            api.reload { _ in }
        }
    }
}
