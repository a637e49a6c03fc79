import CLinux
import Conditions
package import Engine
import Glibc
import Linux
import Manifests
import Record
package import Scheduling
package import Store
package import TaskModel
import Wire
import Workers

/// The host: one loop, one engine, one record; it never maps plugin code.
///
/// Each turn reads every ready source until it is dry, lets the engine decide, commits what must be remembered, and acts
/// only then (DESIGN §5). Thread: the one that made it; not `Sendable`.
package final class Host {
    package static let version = "1.0.0"
    package let configuration: HostConfiguration
    let state: StateFolder
    let store: Store
    /// What is kept back for the record when the disk is full.
    let room: RoomMaker
    /// Looks at the disk, once something was asked.
    var diskMeter: DiskMeter?
    var quotas = HostQuotas()
    /// Free space below which the disk counts as nearly full.
    let diskFloor: ByteCount
    /// When to look whether there is room again; `distantFuture`: there is, or nobody waits for it.
    var nextSpaceLook = Instant.distantFuture
    /// When the record is to be made smaller while nothing else is to be done.
    var nextShrinking = Instant(nanoseconds: 0)
    /// Output recorded since the record's size was looked at; at the start as much as can be.
    var unweighedOutput = Int.max / 2
    let groups: ControlGroups
    /// Limits that the kernel does not hold here, and how to get them; nil: none.
    let missingLimits: String?
    let poller: Poller
    let workerExecutable: String
    package internal(set) var engine: Engine
    /// Its tables have the engine's indices.
    package internal(set) var scheduler: Scheduler
    var requests = RequestTable()
    package internal(set) var device = DeviceState()
    var taskIndices: [String: UInt32] = [:]
    var applicationIndices: [String: Int] = [:]
    /// Identifiers of tasks and of applications, by their indices.
    var taskNames = NameIndex()
    var applicationNames = NameIndex()
    /// Of each application.
    var members: [ApplicationMembers] = []
    /// Tasks, and applications with any, that the manifests have at present.
    package internal(set) var presentTasks = 0
    package internal(set) var presentApplications = 0
    /// Numbers of the applications in the record.
    var applicationRows: [Int64] = []
    /// What the record held of applications when the host started.
    let remembered: [String: ApplicationMemory]
    /// It starts what is pending. Otherwise requests are taken and kept, for the daemon to start.
    package let schedules: Bool
    let timeZones: TimeZones
    /// Tells the conditions of the machine; nil: all are unknown.
    weak var monitor: DeviceMonitor?
    /// Hears of everything; the loop's thread.
    package weak var audience: (any HostAudience)?
    var sources: [any EventSource] = []
    var places: [SourcePlace] = []
    /// A source has more to do than the last turn allowed.
    var isBusy = false
    package internal(set) var applications: [InstalledApplication] = []
    package internal(set) var tasks: [InstalledTask] = []
    var launchFrames: [LaunchFrames?] = []
    /// What applications may write.
    var writable: WritableFolders
    var network = HostNetwork()
    var launches = LaunchQueue()
    var spareGroups: SpareGroups
    var zygotes: [ZygoteProcess?] = Array(repeating: nil, count: ZygoteFlavor.allCases.count)
    /// Why a zygote ends that could not start.
    var zygoteFaults: [LaunchRefusal?] = Array(repeating: nil, count: ZygoteFlavor.allCases.count)
    var workers: [WorkerRecord?] = []
    var extras: [RunExtra] = []
    /// What the engine asked for and was not done yet, and the list that is being worked off: swapped every turn.
    var actions: [Action] = []
    var work: [Action] = []
    var output = OutputBuffer()
    /// Workers whose wires or log pipes are left alone for a while, and when the first of them is to be read again.
    var quiet: [WorkerHandle] = []
    var quietEnd = Instant.distantFuture
    /// Workers that have frames to be sent at the end of the turn.
    var talking: [WorkerHandle] = []
    var now: Moment
    var turn: UInt64 = 0
    /// From the end of a wait to the beginning of the next.
    package internal(set) var longestTurn = TimeSpan.zero
    /// What came after its run's end, until the turn's record is written.
    var lateNotes: [LateNote] = []
    var retentionClock: RetentionClock
    var pace = PruningPace()
    /// Old rows that were found, and are forgotten little by little.
    var forgettable = Forgettable()
    let frames = UnsafeMutableRawBufferPointer.allocate(
        byteCount: WorkerChannel.batch * WorkerChannel.longestFrame, alignment: 4096)
    let printed = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 4096)
    let signals: Descriptor

    /// Takes the state folder, opens the record, marks what a dead host left as interrupted, and clears what it left alive.
    ///
    /// - Parameters:
    ///   - schedules: it starts what is due, once `begin` was called. Otherwise requests are only taken and kept.
    ///   - say: hears what takes so long that a person should know.
    package init(
        stateFolder: String, configuration: HostConfiguration, schedules: Bool = false,
        say: (String) -> Void = { _ in }
    ) throws(HostError) {
        self.configuration = configuration
        self.schedules = schedules
        let descriptors = DescriptorLimit.raise()
        let idleWorkers = DescriptorLimit.idleWorkers(of: descriptors, concurrency: configuration.concurrency)
        spareGroups = SpareGroups(mostOfOne: 4, most: idleWorkers)
        state = try StateFolder(stateFolder)
        writable = WritableFolders(state: state)
        diskFloor = configuration.diskFloor ?? Self.defaultFloor(of: state.path)
        room = RoomMaker(inState: state.path, isPatient: schedules)
        store = try Self.openRecord(state.databasePath, makeRoom: { [room] in room.makeRoom() }, say)
        do throws(StoreError) {
            Failpoint.pass(.recoverBefore)
            retentionClock = RetentionClock(at: Clock.moment(), newest: try store.history.newestMoment())
            let start = Clock.moment().time
            _ = try store.interruptUnfinished(at: start)
            _ = try store.recoverRequests(at: start)
            remembered = try store.applications()
            try store.commit()
            Failpoint.pass(.recoverAfter)
        } catch {
            throw .store(error)
        }
        do throws(ControlGroupError) {
            let found = try HostGroups(
                name: GroupNaming.parent(of: state.path),
                forced: configuration.control.flatMap { ControlTier(rawValue: $0) })
            groups = found.groups
            missingLimits = found.missing
            try groups.emptyLeftovers()
            state.workers.endLeftovers()
            Failpoint.pass(.clearAfter)
        } catch {
            throw .control("\(error)")
        }
        now = Clock.moment()
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        engine = Engine(
            limits: EngineLimits(
                profile: configuration.profile, concurrency: configuration.concurrency, cores: cores,
                metersMemory: groups.enforces(.memory) == .meter, idleWorkers: idleWorkers, launches: 2 * cores,
                diskFloor: diskFloor),
            nextSequence: store.nextSequence)
        scheduler = Scheduler(limits: configuration.scheduling)
        timeZones = TimeZones(stateFolder: state.path, makesSeed: true)
        workerExecutable = try Self.findWorkerExecutable()
        do throws(SystemError) {
            poller = try Poller()
            var stopSignals = [SIGINT, SIGTERM, SIGHUP]
            signals = Descriptor(
                adopting: try check(clinux_signalfd(&stopSignals, Int32(stopSignals.count)), "signalfd"))
            try poller.add(signals.number, key: SourceKey(.signal).bits)
            try check(clinux_set_dumpable(0), "prctl(PR_SET_DUMPABLE)")
        } catch {
            throw .system(error)
        }
        _ = signal(SIGPIPE, SIG_IGN)
        prepareRoom()
        prepareQuotas()
    }

    deinit {
        frames.deallocate()
        printed.deallocate()
    }

    /// Beside this executable, or where `make install` puts it.
    private static func findWorkerExecutable() throws(HostError) -> String {
        let folder = FileSystem.executable.prefix { _ in true }.split(separator: "/").dropLast().joined(separator: "/")
        let candidates = ["/\(folder)/taskhost-worker", "/\(folder)/../libexec/taskhost/taskhost-worker"]
        for candidate in candidates where access(candidate, X_OK) == 0 { return candidate }
        throw .workerExecutableMissing(path: candidates[0])
    }

    // MARK: Asking

    /// Asks for a run now, whatever conditions and schedules say. The observer hears of it until it has ended.
    @discardableResult
    package func submit(
        _ task: UInt32, payload: [UInt8] = [], settings: [UInt8] = [], requester: UInt32 = 0,
        observer: (any RunObserver)?
    ) -> RunHandle? {
        admit(
            task, requester: requester, extra: RunExtra(payload: payload, settings: settings, observer: observer))
    }

    /// Hands a run to the engine.
    func admit(
        _ task: UInt32, attempt: UInt32 = 1, launch: UInt32 = 0, requester: UInt32 = 0, isOnPower: Bool = false,
        extra: RunExtra
    ) -> RunHandle? {
        let id = ULID(at: now.time, random: Clock.randomBits())
        let first = actions.count
        let submission = Submission(
            task: task, id: id, attempt: attempt, requester: requester, launch: launch, isOnPower: isOnPower,
            hasRequest: extra.request != nil)
        engine.handle(.submitted(submission), at: now, into: &actions)
        guard case .insert(let run) = actions[first] else { return nil }
        while extras.count <= run.index { extras.append(RunExtra()) }
        extras[Int(run.index)] = extra
        audience?.runDidBegin(run, in: self)
        return run
    }

    package func cancel(_ run: RunHandle) { engine.handle(.cancelled(run), at: now, into: &actions) }
    package func simulateExpiration(_ run: RunHandle) {
        engine.handle(.simulatedExpiration(run), at: now, into: &actions)
    }
    /// The first call warns what runs, the second kills it.
    package func stop() {
        scheduler.stop(at: now)
        engine.handle(.stopping, at: now, into: &actions)
    }

    /// Whether somebody asked to stop.
    package var isStopping: Bool { engine.isStopping }

    /// Whether nothing runs, and nothing is left to be done.
    package var isQuiet: Bool {
        engine.isQuiet && actions.isEmpty && launches.isEmpty && requests.writes.isEmpty && requests.answers.isEmpty
            && !hasUnwritten
    }

    /// Begins to start what is pending and due, after what was pending has been restored.
    package func begin() {
        now = Clock.moment()
        // A daemon that never lives long would never count so far.
        requests.concreteIdentifiers = Self.identifiersBetweenSweeps
        beginDisk()
        scheduler.begin(at: now, into: &requests.decisions)
        // Who only answers leaves it to a daemon to put schedules on record.
        if !scheduler.startsByItself {
            requests.decisions.removeAll { decision in
                guard case .remember(let handle) = decision else { return false }
                return scheduler.request(handle)?.request.terms.origin == .schedule
            }
        }
        settleDecisions()
    }

    /// Brings the turn's time up to date, before the first turn.
    package func refreshClock() { now = Clock.moment() }

    /// Lets every worker leave and clears up. Call when nothing runs any more.
    package func close() throws(HostError) {
        if !engine.isStopping { stop() }
        try run { isQuiet }
        Failpoint.pass(.close)
        do throws(StoreError) {
            try pruneOnce()
        } catch {
            throw .store(error)
        }
        closeSources()
        removeSpareGroups()
        for zygote in zygotes { zygote?.end() }
        // A folder could not be removed while something in it had not been reaped.
        try? groups.emptyLeftovers()
        _ = groups.remove()
    }

    package func identifier(of run: RunHandle) -> String? {
        engine.run(run).map { extras[Int(run.index)].identifier ?? tasks[Int($0.task)].definition.identifier }
    }

    /// The identifier of the task's application.
    package func applicationName(of task: UInt32) -> String {
        applications[tasks[Int(task)].application].definition.identifier
    }

    /// The past, read through the record's own connection.
    package var history: History { store.history }

    /// The time of this turn.
    package var moment: Moment { now }
    package var tier: String { groups.tier.rawValue }

    /// Everything that is known of the run, as it will stand in the record.
    package func record(of run: RunHandle) -> RunRecord? {
        guard let slot = engine.run(run) else { return nil }
        return (try? store.history.run(slot.id)) ?? nil
    }
}

/// A task as the host holds it.
package struct InstalledTask {
    package var definition: TaskDefinition
    package let application: Int
    /// Its place in its application's manifest, by which a worker knows it.
    var place: UInt32
    /// Its number in the record.
    let row: Int64
    /// Its manifest is gone, or no longer has it.
    package var isRemoved = false
}
