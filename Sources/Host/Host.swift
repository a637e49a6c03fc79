import Engine
package import Linux
package import Record
import Scheduling
package import Setting
package import TaskModel
import Transfers
import Wire
import Workers

/// The host: one loop, one engine, one record; it never maps plugin code.
///
/// Its parts own their state; this type runs the turn. Each turn reads every ready source, lets engine, scheduler and transfer
/// queue decide, warns and launches, commits the changes, and only then does the rest. Thread: the one that made it; not
/// `Sendable`.
package final class Host {
    package let place: HostPlace
    package let decider: Decider
    package let keeper: RecordKeeper
    package let device: Device
    package let runs: RunTable
    /// Work that the user holds back.
    package let pauses: Pauses
    package let requests: Requests
    package let workers: WorkerEffects
    private let terminations: Terminations
    /// Faults that the user lets happen.
    package let faults: Faults
    package let applications: Applications
    /// Background sessions and their transfers.
    package let transfers: BackgroundTransfers
    private let disk: Disk
    /// Requests that it shares with other hosts; nil: it is in no fleet.
    package private(set) var fleet: FleetClaims?
    private let loop: EventLoop
    /// The virtual clock is being moved.
    package var move: ClockMove?
    /// Receives SIGHUP; nil: that stops the host. Set it before the first turn.
    package var onHangup: (() -> Void)?

    /// Of the host and what it starts: a deadline that comes while other processes compute is not late by their slices of milliseconds.
    private static let slice = TimeSpan(nanoseconds: 100_000)

    /// Takes the state folder, opens the record, marks runs of a dead host as interrupted, and kills processes that it left.
    ///
    /// - Parameters:
    ///   - stay: how long it has the folder.
    ///   - schedules: it starts due work, once `begin` was called. Otherwise requests are only accepted and kept.
    ///   - allowsFaults: its user may let faults happen to tasks.
    ///   - isVirtual: its clock stands still until somebody moves it, and its record is marked so.
    ///   - openRecord: opens the store that it remembers in.
    ///   - say: receives a message about steps that take long.
    package init(
        stateFolder: String, for stay: StateFolder.Stay = .lasting, configuration: HostConfiguration,
        schedules: Bool = false, allowsFaults: Bool = false, isVirtual: Bool = false,
        openRecord: RecordOpening.Way = RecordOpening.open, say: @escaping (String) -> Void = { _ in }
    ) throws(HostError) {
        ThisProcess.setSlice(Self.slice)
        let descriptors = DescriptorLimit.raise()
        let idleWorkers = DescriptorLimit.idleWorkers(of: descriptors, concurrency: configuration.concurrency)
        place = HostPlace(
            state: try StateFolder(stateFolder, for: stay, say: say), configuration: configuration,
            schedules: schedules, allowsFaults: allowsFaults, isVirtual: isVirtual)
        keeper = try RecordKeeper(place, open: openRecord, say: say)
        let virtualSince = place.isVirtual ? keeper.newestAtOpening ?? Timestamp(nanoseconds: 0) : nil
        let groups = try HostGroups.clear(place)
        let cores = ThisProcess.processors
        decider = Decider(
            engine: Engine(
                limits: EngineLimits(
                    profile: configuration.profile, concurrency: configuration.concurrency, cores: cores,
                    metersMemory: groups.groups.enforces(.memory) == .meter, idleWorkers: idleWorkers,
                    launches: 2 * cores,
                    diskFloor: configuration.diskFloor ?? StateSpace.defaultFloor(of: place.state.path))),
            scheduler: Scheduler(limits: configuration.schedulerLimits),
            transfers: TransferQueue(
                limits: configuration.transferLimits(floor: StateSpace.defaultFloor(of: place.state.path))),
            virtualSince: virtualSince)
        loop = try EventLoop(record: keeper.store.durabilityDescriptor)
        let announcer = Announcer(decider, keeper)
        let installed = Installation(place, decider, keeper)
        device = Device(decider, keeper, announcer, isServed: schedules)
        let files = TaskFiles(place, loop, decider, keeper, installed)
        runs = RunTable(decider, keeper, installed, files, announcer, outputLimit: configuration.outputLimit)
        pauses = Pauses(decider, keeper, installed, announcer)
        requests = Requests(decider, keeper, installed, runs, device, announcer, pauses, isServed: schedules)
        let quotas = DiskQuotas(place, loop, installed)
        let table = WorkerTable(loop.poller, decider, runs)
        faults = Faults(isAllowed: allowsFaults, decider, installed, runs)
        let launcher = try Launcher(
            place, groups, spareGroups: SpareGroups(mostOfOne: 4, most: idleWorkers), loop, decider, installed, runs,
            device, quotas, table, faults)
        let listener = Listener(decider, keeper, installed, runs, requests, announcer, launcher, table, faults)
        terminations = Terminations(decider, keeper, installed, announcer, table)
        workers = WorkerEffects(decider, installed, runs, table, launcher, listener, faults)
        device.tellNetwork = { [unowned workers] in workers.tellNetwork() }
        workers.allowSleep = { [device] in device.allowSleep() }
        disk = Disk(place, loop, decider, keeper, device, installed, runs, workers, quotas)
        workers.meterSpace = { [unowned disk] in disk.meterSpace() }
        workers.weighFolders = { [unowned disk] in disk.weighFolders($0) }
        transfers = try BackgroundTransfers(place, loop, decider, keeper, installed, announcer, workers, runs, quotas)
        requests.transfers = transfers
        decider.stateChanged = { [unowned transfers, unowned announcer] application, state in
            transfers.application(application, isIn: state)
            announcer.audience?.application(application, isIn: state)
        }
        transfers.attempts.lookAtSpace = { [disk] in disk.lookForTransfers() }
        transfers.parts.weighFolders = { [disk] in disk.weighFolders($0) }
        disk.weighed = { [unowned transfers] in transfers.attempts.weighed($0, $1) }
        applications = Applications(
            installed, decider, keeper, requests, workers, transfers, announcer, schedules: schedules)
        try HostError.rethrowing(system: ThisProcess.setDumpable(false))
        Signal.ignore(.SIGPIPE)
    }

    // MARK: The turn

    /// Turns until `isDone`, which is called after each turn.
    package func run(until isDone: () -> Bool) throws(HostError) {
        decider.refreshClock()
        while !isDone() { try turnOnce() }
    }

    private func turnOnce() throws(HostError) {
        // Of the turn before, or of what came between turns.
        runs.announcer.log?.flush()
        let end = decider.endTurn()
        // Work is pending: poll other sources without waiting. One commit then serves both.
        let deadline = isIdle ? untilNext() : decider.machine.instant
        let ready = try HostError.rethrowing(system: loop.poller.wait(until: deadline, now: end))
        decider.refreshClock()
        read(ready)
        decide()
        workers.hurry(decider.work)
        do throws(StoreError) {
            try remember()
            try keeper.keepSmall(isIdle: decider.work.isEmpty && decider.isSettled, at: decider.now)
        } catch {
            throw .store(error)
        }
        try keeper.checkPatience(at: decider.now.instant)
        disk.settleFull()
        act()
    }

    /// Reads ready sources. Output first: output from before a run's completion belongs to the run.
    private func read(_ ready: Int) {
        for index in 0..<ready {
            guard let key = SourceKey(loop.poller[index].key), key.kind == .log || key.kind == .errors else { continue }
            workers.listener.readLog(of: key)
        }
        for index in 0..<ready {
            guard let key = SourceKey(loop.poller[index].key) else { continue }
            switch key.kind {
            // The store reports when it receives the turn's record.
            case .log, .errors, .record: continue
            case .signal: while let signal = loop.signals.next() { stop(by: signal) }
            case .source: loop.serve(key, loop.poller[index], at: decider.machine)
            case .wire, .emptiness, .memoryEvents, .zygote: workers.serve(key, loop.poller[index])
            }
        }
        workers.listener.takeLost()
        workers.table.hearAgain()
    }

    private func decide() {
        fleet?.hear()
        if decider.isSchedulingDue { device.look() }
        disk.advance()
        faults.advance()
        loop.advance(to: decider.now, decider.machine)
        decider.advance()
        decider.settle()
        fleet?.settle()
        decider.takeWork()
    }

    /// Writes the turn's part of the record and makes it durable.
    private func remember() throws(StoreError) {
        let work = decider.work
        // The first turn makes room for those that follow.
        let isIdle = work.isEmpty && requests.isEmpty && transfers.isSettled && keeper.isEmpty && runs.isEmpty
        try requests.pruneIdentifiers()
        try keeper.makeRoom(
            isIdle: isIdle || decider.turn == 1, runsAdded: work.count { $0.addsRun }, at: decider.now)
        runs.write(work)
        terminations.write(work)
        requests.write()
        transfers.write()
        try keeper.commit(turn: decider.turn, hasEffects: work.contains { $0.isEffect })
        // Before the turn's effects, which would speak of what was not recorded.
        for fault in keeper.takeRowFaults() { transfers.setAside(fault) }
    }

    /// Does what waits for the record: of this turn, if it is durable, and of those that have become so.
    private func act() {
        keeper.isActing = true
        while let turn = keeper.takeDurable() {
            act(on: turn.work)
            for answer in turn.answers { answer() }
        }
        if !keeper.postpones(decider.work, of: decider.turn, at: decider.now.instant) {
            act(on: decider.work)
            keeper.answer()
        }
        keeper.isActing = false
        decider.removeWork()
        workers.clearSome()
        Failpoint.pass(.flushBefore)
        workers.table.flush()
        Failpoint.pass(.flushAfter)
        loop.settle(at: decider.now, decider.machine)
        device.settleInterest()
    }

    private func act(on work: [Action]) {
        workers.act(on: work)
        if let move, work.contains(where: { $0.isTold }) { move.didTell(at: decider.machine.instant) }
    }

    /// Nothing is in hand: the loop may wait.
    private var isIdle: Bool { isSettled && !loop.isBusy }

    /// Everything that was decided is on its way into the record.
    private var isSettled: Bool {
        decider.isSettled && requests.isEmpty && keeper.isEmpty && !runs.hasUnwritten && workers.isSettled
            && transfers.isSettled
    }

    /// When to turn without an event, by the machine's clock. Moves a virtual clock on.
    private func untilNext() -> Instant {
        let (host, machine) = (nextMoment, loop.nextDeadline(byHost: false))
        guard decider.isVirtual else { return min(host, machine) }
        if let move { return min(machine, moveOn(move, before: host)) }
        return host <= decider.now.instant ? decider.machine.instant : machine
    }

    /// When something happens by itself, by the host's clock.
    private var nextMoment: Instant {
        let own = min(decider.nextDeadline, workers.table.quietEnd, disk.nextDeadline, faults.nextDeadline)
        let launch = workers.launcher.nextDeadline
        return min(own, launch, keeper.nextDeadline(after: decider.now.instant), loop.nextDeadline(byHost: true))
    }

    // MARK: Runs

    /// Requests a run now, regardless of conditions and schedules. The observer receives its events until it has ended.
    @discardableResult
    package func submit(
        _ task: TaskIndex, payload: [UInt8] = [], settings: [UInt8] = [], requester: UInt32 = 0,
        observer: (any RunObserver)?
    ) -> RunHandle {
        runs.admit(
            task, requester: requester, context: RunContext(payload: payload, settings: settings, observer: observer))
    }

    /// The same under another name.
    ///
    /// - Parameters:
    ///   - name: one that matches the task's wildcard; nil: the task's identifier.
    ///   - attempt: the number of the try, as whoever repeats it counts.
    package func submit(
        _ task: TaskIndex, as name: String?, attempt: UInt32 = 1, payload: [UInt8], settings: [UInt8],
        requester: UInt32 = 0, observer: (any RunObserver)?
    ) throws(StoreError) -> RunHandle {
        var context = RunContext(payload: payload, settings: settings, observer: observer)
        if let name {
            context.identifier = name
            context.identity = try requests.identity(of: name, task)
        }
        return runs.admit(task, attempt: attempt, requester: requester, context: context)
    }

    package func cancel(_ run: RunHandle) { decider.hear(.cancelled(run)) }
    package func simulateExpiration(_ run: RunHandle) { decider.hear(.simulatedExpiration(run)) }

    // MARK: From the first turn to the last

    /// All installed applications and tasks.
    package var installed: Installation { applications.installed }

    /// Adds an application and returns the indices of its tasks, in the order of its manifest.
    @discardableResult
    package func install(_ application: InstalledApplication) throws(HostError) -> [TaskIndex] {
        try installed.install(application)
    }

    /// Restores the recorded state of the installed applications: pauses, pending requests, and the user's overrides.
    package func restore() throws(HostError) {
        do throws(StoreError) {
            try pauses.restore()
            try requests.restore()
            try transfers.restore()
            try device.restoreOverrides()
        } catch {
            throw .store(error)
        }
    }

    /// Begins to start pending and due work, after pending requests have been restored.
    package func begin() {
        decider.refreshClock()
        disk.begin()
        requests.begin()
        transfers.begin()
        requests.tellOwed()
        decider.settle()
    }

    /// Shares requests with other hosts, from the next turn on. Call it once, before the first turn.
    ///
    /// - Parameters:
    ///   - store: its descriptor wakes the host. One that is an event source itself, with other descriptors, is to be added too.
    ///   - isReached: it is within reach; otherwise it says so when it is.
    ///   - most: claims that the host holds at once.
    ///   - clock: that of the store's instants.
    package func join(
        fleet store: any ClaimStore, isReached: Bool = true, most: Int,
        clock: @escaping () -> Instant = { Instant(nanoseconds: Clock.sinceBoot()) }
    ) throws(HostError) {
        precondition(fleet == nil, "a host is in one fleet")
        let claims = try FleetClaims(
            store, isReached: isReached, most: most, clock: clock, decider, keeper, installed, requests, device,
            runs.announcer)
        fleet = claims
        try loop.add(claims)
    }

    /// Asks a helper process for the addresses of names, as long as four seconds; `answer` is called once, on the loop's thread.
    package func resolve(_ names: [String], _ answer: @escaping ([String: [NetworkAddress]]) -> Void) {
        workers.launcher.network.resolve(names, answer)
    }

    /// Adds a source to the loop, before or between turns. It stays until the host closes.
    package func add(_ source: any EventSource) throws(HostError) { try loop.add(source) }

    /// The receiver of all events.
    package var audience: (any HostAudience)? {
        get { runs.announcer.audience }
        set { runs.announcer.audience = newValue }
    }

    /// Adds a line to the journal with this turn's commit, and notifies the watchers.
    package func note(_ kind: JournalKind, _ subject: String, _ text: String) {
        runs.announcer.note(kind, subject, text)
    }

    /// Remembers with this turn's commit a manifest that is not as it was.
    package func note(_ version: ManifestVersion) { keeper.write(.manifestSeen(version)) }

    /// Runs the closure once this turn's record is on disk.
    package func afterCommit(_ answer: @escaping () -> Void) { keeper.afterCommit(answer) }

    /// Answers with what the record has, once that is on disk: mostly at once.
    package func tell(_ answer: @escaping () -> Void) { keeper.tell(answer) }

    /// The record has turns that are not on disk yet.
    package var isRecordLate: Bool { keeper.isLate }

    /// The first call warns what runs, the second kills it.
    package func stop() { decider.stop(isCancel: false) }

    /// Ctrl-C at a verb that runs tasks itself cancels these runs for the user. A daemon's runs are not that user's.
    private func stop(by signal: Signal) {
        if signal == .SIGHUP, let onHangup { return onHangup() }
        decider.stop(isCancel: signal == .SIGINT && !place.schedules)
    }

    /// Whether a stop was requested.
    package var isStopping: Bool { decider.isStopping }

    /// Whether nothing runs, and no work is left.
    package var isQuiet: Bool { decider.isQuiet && isSettled && keeper.isSettled && fleet?.isQuiet ?? true }

    /// Ends every worker and cleans up. Call it when nothing runs any more.
    package func close() throws(HostError) {
        if !isStopping { stop() }
        try run { isQuiet }
        Failpoint.pass(.close)
        try HostError.rethrowing(store: keeper.pruneOnce(turn: decider.turn + 1, at: decider.now))
        loop.close()
        workers.launcher.close()
    }

    // MARK: Looking

    /// The time of this turn.
    package var moment: ClockReading { decider.now }

    /// The past as it was written so far.
    package var history: any RecordReader { keeper.reader }

    /// Everything known about the run, as it will be recorded.
    package func record(of run: RunHandle) -> RunRecord? {
        decider.id(of: run).flatMap { record(of: $0) }
    }

    /// The present record of the run, including data that followed its end.
    package func record(of id: ULID) -> RunRecord? { (try? history.run(id)) ?? nil }

    /// How many bytes of the run's output were kept, and how many were thrown away.
    package func outputSize(of id: ULID) -> (kept: Int, dropped: UInt64) {
        (try? history.outputSize(of: id)) ?? (0, 0)
    }

    /// Asks the workers of the task's application for the resources of their code: `count` returns them in a later
    /// turn.
    package func askCount(of task: TaskIndex) { workers.askCount(of: installed.tasks[task].application) }

    /// Their answer; nil: none yet.
    package func count(of task: TaskIndex) -> WorkerCount? { workers.count(of: installed.tasks[task].application) }

    /// The kept output of the run.
    package func output(of id: ULID) -> [UInt8] { (try? history.output(of: id))?.bytes ?? [] }

    /// The same of one of its streams.
    package func output(of id: ULID, on stream: LogStream) -> [UInt8] {
        let parts = (try? history.log(of: id, from: LogPlace(number: 0), most: .max)) ?? []
        return parts.filter { $0.mark?.stream == stream }.flatMap(\.bytes)
    }

    /// The living worker of the task's application; nil when there is none.
    package func census(of task: TaskIndex) -> WorkerCensus? {
        workers.census(of: installed.tasks[task].application)
    }
}
