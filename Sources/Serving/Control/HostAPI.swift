import Control
import Host
import Setting
import TaskModel

/// Answers the control API: the same for requests from the socket and for a verb in the host's own process.
/// Thread: the loop's.
final class HostAPI {
    unowned let host: Host
    let hub: EventHub
    let router = Router(version: Release.version)
    let startedAt: Timestamp
    /// Where it reads manifests from, as absolute paths.
    let manifests: [String]
    /// Rereads the manifests, in later turns. The answer comes when all are read; nil: the host closed before.
    var reload: (@escaping (Reloading.Report?) -> Void) -> Void = { $0(nil) }
    /// Requests to simulate a launch that wait for their application to be launched once.
    var simulations: [Simulation] = []

    /// Requests to quit an application that wait for the ends of its processes.
    var quits: [Quit] = []

    /// The request that the virtual clock is moved for.
    var clockMover: Exchange?

    /// Every manifest that was found, as it is now; the installed one may be an earlier form of it.
    var manifestEntries: () -> [ManifestEntry] = { [] }
    /// Places of manifests that cannot be read, with what to do.
    var unreadableManifests: () -> [String] = { [] }
    /// The runs of earlier hosts, as they are counted.
    private(set) lazy var pastTally = PastTally(
        host.history, host.installed, newest: host.keeper.lastRunAtOpening)

    /// The state folder that is asked about, where another stands in for it.
    var examinedState: String?

    let longAnswers = LongAnswers()
    private(set) lazy var past = PastAPI(
        { [unowned host] in host.history }, longAnswers, now: { [unowned host] in host.moment.time }
    ) { [unowned self] in
        var active = ActiveRuns(host)
        return { [unowned self] in live($0, &active) }
    }
    let backup: RecordBackup
    var forecaster: Forecaster?
    var examiner: Examiner?
    /// nil: the host is in no fleet.
    var fleetView: FleetView?
    /// Unfinished runs that were requested here.
    let posted = PostedRuns()

    init(host: Host, manifests: [String]) {
        self.host = host
        self.manifests = manifests
        hub = EventHub(host: host)
        backup = RecordBackup(host: host)
        startedAt = host.moment.time
        hub.didSubmit = { [unowned self] in settleSimulations(of: $0) }
        addRoutes()
    }

    /// The task that permits the identifier.
    func task(_ identifier: String) throws(Problem) -> TaskIndex {
        if let task = host.installed.permittedTask(identifier) ?? host.installed.task(named: identifier) { return task }
        throw noSuchTask(identifier)
    }

    func noSuchTask(_ identifier: String) -> Problem {
        if let fault = unusedFault(of: identifier) { return .unusedTask(identifier, fault) }
        return .noSuchTask(identifier, near: host.installed.nearestTask(to: identifier))
    }

    /// Why a task that a manifest has is not used; nil: it is, or none has it.
    func unusedFault(of identifier: String) -> String? {
        manifestEntries().lazy.compactMap { $0.fault(ofTask: identifier) }.first
    }

    func application(_ identifier: String) throws(Problem) -> ApplicationIndex {
        if let index = host.installed.application(named: identifier) { return index }
        // A task's identifier means its application if it is unambiguous.
        if let task = host.installed.task(named: identifier) { return host.installed.tasks[task].application }
        throw .noSuchApplication(identifier, near: host.installed.nearestApplication(to: identifier))
    }
}
