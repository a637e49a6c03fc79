import Conditions
package import Control
package import Host
import Fleet
import Linux
import Record
import Scheduling
package import Setting
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
    /// Those that are rolled out to the fleet, or why there is no place for them; nil: the host takes none.
    private let rolledOut: Result<FleetManifests, SystemError>?
    private let reader: ManifestReader
    /// nil: it ends soon, and nobody asks what changed.
    private let versions: ManifestVersions?
    private var reloading: Reloading?
    private var zones: ZoneFollowing?
    /// What the first reading found unusable, until the journal has it.
    private var unused: [ManifestChange] = []
    /// nil: the kernel has no watch to give.
    private var handlers: HandlerFollowing?
    /// nil: none are configured.
    private var windows: WindowWatch?
    /// Logs a line for the user who started it, without its end.
    private let say: (String) -> Void
    private var monitor: DeviceMonitor?
    private var notifier: SystemdNotifier?
    /// Serves metrics over TCP; nil: the configuration has them on the control socket alone.
    private var metrics: MetricsDoor?
    /// Their clients wait until the host has begun: before, it knows neither its schedules nor the machine.
    private var servers: [ControlServer] = []
    /// Whether the system bus answers, according to the journal; nil before the first complete observation.
    private var hasBus: Bool?

    /// Reads the manifests, restores pending requests, and begins to watch the machine.
    ///
    /// - Parameters:
    ///   - log: the daemon's; nil: there is none.
    ///   - say: receives sentences for whom started it.
    package init(
        host: Host, manifests: [String], purpose: Purpose, log: HostLog? = nil, say: @escaping (String) -> Void
    ) throws(HostError) {
        rolledOut = Self.rolledOut(host.place)
        let manifests = manifests + [try? rolledOut?.get().folder].compactMap(\.self)
        self.host = host
        self.manifests = manifests
        self.purpose = purpose
        self.say = say
        reader = ManifestReader(
            manifests, profile: host.place.configuration.profile, accounts: AccountRules(host.place.configuration),
            verifiesDigests: false, recordsSteps: purpose == .daemon)
        versions = purpose == .daemon ? ManifestVersions(of: host) : nil
        api = HostAPI(host: host, manifests: manifests.map(Self.absolute))
        host.audience = api.hub
        host.runs.announcer.log = log
        log?.addInterrupted(host.keeper.takeInterrupted())
        host.decider.refreshClock()
        if purpose == .daemon {
            try watchManifests()
            zones = ZoneFollowing(host: host) { [unowned self] in windows?.renew() }
        }
        try readManifests()
        if purpose == .daemon { watchHandlers() }
        try host.restore()
        if purpose != .runs { try watchDevice() }
        if purpose == .daemon {
            try serveSocket()
            try addTelemetry()
            try joinFleet()
        }
        try host.add(api)
        try host.add(UsageWatch(host, api.hub))
        if purpose == .verb { try answerOnly() }
        try addReloading()
    }

    /// Lets `doctor` judge that state folder, for which another stands in.
    package func examine(_ state: String) { api.examinedState = state }

    /// Installs applications that were read elsewhere.
    ///
    /// - Parameter writable: what all applications may write, these or others.
    package func install(_ applications: [InstalledApplication], writable: [String]) throws(HostError) {
        host.installed.regard(writable: writable)
        for application in applications { try host.install(application) }
    }

    private static func rolledOut(_ place: HostPlace) -> Result<FleetManifests, SystemError>? {
        guard place.configuration.fleet?.takesManifests ?? false else { return nil }
        return Result { () throws(SystemError) in try FleetManifests(in: place.state.path) }
    }

    /// For clients in another folder.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = FileSystem.realPath(".") else { return path }
        return folder + "/" + path
    }

    /// Nothing starts on its own. The machine is observed before the first request.
    private func answerOnly() throws(HostError) {
        host.decider.startsByItself = false
        host.begin()
        try settleDevice()
    }

    /// Serves until it is asked to stop and everything has ended.
    package func serve() throws(HostError) {
        try settleDevice()
        hasBus = monitor?.busFault == nil
        try host.add(BootWatch(host, say: say))
        host.begin()
        try HostError.rethrowing(store: host.applications.introduce(host.installed.applications.indices))
        if ProgramText.isScarce { try host.add(IdleTrim(host.decider)) }
        for server in servers { server.listen() }
        notifier?.ready(status: summary)
        host.runs.announcer.log?.add(
            LogEntry(
                host.place.allowsFaults || host.place.isVirtual ? .warning : .info, .hostStarted,
                "serving \(host.place.state.path): \(summary)\(mode)"))
        host.decider.forgetTurns()
        try host.run { host.isStopping }
        notifier?.stopping(status: "stopping; runs have their grace")
        try host.run { host.isQuiet }
        if let telemetry = host.runs.telemetry {
            telemetry.finish()
            try host.run { telemetry.hasFinished }
        }
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
                host.transfers.ledger.calendarMoved(by: jump.step)
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
        host.note(.hostStarted, "", "process \(ThisProcess.pid)\(mode)")
        for change in unused { try host.applications.apply(change) }
        unused = []
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
        let server = ControlServer(listeners: listeners, handler: api, acceptsAtOnce: false) { user, _ in
            user == 0 || user == own ? .all : readers.contains(user) ? .read : .none
        }
        servers.append(server)
        try host.add(server)
        try host.add(notifier)
        guard let settings = host.place.configuration.metrics else { return }
        let metrics = try MetricsDoor(settings, api)
        self.metrics = metrics
        let door = metrics.makeServer()
        servers.append(door)
        try host.add(door)
        say("serving metrics at http://\(metrics.place)/metrics")
    }

    /// Traces, if the configuration or the environment names a collector.
    private func addTelemetry() throws(HostError) {
        guard
            let settings = TelemetrySettings(
                endpoint: host.place.configuration.telemetry, variable: TelemetrySettings.variable)
        else { return }
        guard TelemetrySettings.isEndpoint(settings.endpoint) else {
            let name = TelemetrySettings.Variable.endpoint.rawValue
            return say("traces are off; \(name); name a collector such as http://127.0.0.1:4318, without /v1/traces")
        }
        let telemetry = Telemetry(
            settings, state: host.place.state.path, host.transfers.outgoing, host.decider, host.installed)
        host.runs.telemetry = telemetry
        try host.add(telemetry)
    }

    /// Shares requests with other hosts, if the configuration names a fleet.
    private func joinFleet() throws(HostError) {
        guard let settings = host.place.configuration.fleet else { return }
        do throws(FleetError) {
            let claims = try FleetDoor.join(settings, host, rolledOut)
            api.fleetView = FleetView(claims, host: settings.name) { [unowned host] in host.moment.time }
        } catch {
            // What is local goes on without it.
            host.note(.fleetLost, "", error.sentence)
            say("the host is in no fleet; \(error.sentence)")
        }
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

    /// What tasks run may come, change or go without a change of a manifest.
    private func watchHandlers() {
        do throws(HostError) {
            let handlers = try HandlerFollowing(host) { [unowned self] in reloading?.read([$0]) }
            handlers.follow(reader)
            self.handlers = handlers
            let mounts = try HostError.rethrowing(
                system: MountWatch { [unowned self] now in
                    handlers.mountsChanged(at: now)
                    host.runs.files.mountsChanged(at: now)
                })
            try host.add(mounts)
        } catch {
            say("libraries and programs are not watched; \(error.sentence); after a change run: taskhost reload")
        }
    }

    /// What is unusual about this host, for its log and its journal.
    private var mode: String {
        (host.place.allowsFaults ? "; --faults: taskhost simulate can let tasks crash, and the like" : "")
            + (host.place.isVirtual ? "; --clock virtual: time passes by taskhost simulate advance alone" : "")
    }

    private var summary: String {
        "\(host.installed.presentTasks) tasks of \(host.installed.presentApplications) applications, "
            + "\(host.decider.pendingRequestCount) requests pending"
    }

    /// All of them at once, before anything is served.
    private func readManifests() throws(HostError) {
        reader.begin(.all)
        while reader.step() {}
        let catalogue = Catalogue(reader)
        for diagnostic in catalogue.diagnostics { say("\(diagnostic)") }
        for sentence in catalogue.unreadable { say(sentence) }
        versions?.areAll(Set(reader.found.map(\.path)))
        for entry in reader.found {
            versions?.saw(entry)
            for change in reader.changes(of: entry) {
                if case .offered(let application) = change { try host.install(application) }
                if case .unused = change { unused.append(change) }
            }
        }
        versions?.didReadAll()
    }

    /// Reads again what changed, or all when it is asked to.
    private func addReloading() throws(HostError) {
        let reloading = Reloading(
            reader, of: host, versions, say: say, willRead: { [unowned self] in notifier?.reloading() },
            didRead: { [unowned self] in
                handlers?.follow(reader)
                notifier?.ready(status: summary)
                say("read the manifests again: \(summary)")
            })
        self.reloading = reloading
        api.manifestEntries = { [reader] in reader.paths.flatMap(\.entries) }
        api.unreadableManifests = { [reader] in reader.pathFaults }
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
