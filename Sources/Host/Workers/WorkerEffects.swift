import Engine
import Linux
import Record
import Setting
package import TaskModel
import Wire
import Workers

/// Workers: launches, frames, kills and retirement, as the engine decides. Thread: the loop's.
package final class WorkerEffects {
    package let table: WorkerTable
    package let launcher: Launcher
    package let listener: Listener
    /// Workers to kill, as far as the turn's time allows, each once.
    private var markedForKill: [WorkerHandle] = []
    /// Ended workers to retire, as far as the turn's time allows.
    private var gone: [WorkerHandle] = []
    /// Workers whose trees are being frozen, and are checked when they are.
    private var freezing: [WorkerHandle] = []
    /// Lets the machine sleep: all trees are frozen.
    var allowSleep: () -> Void = {}
    /// Tells the worker which of its application's background sessions have events.
    var tellSessions: (WorkerHandle) -> Void = { _ in }
    /// Reads the disk's free space.
    var meterSpace: () -> Void = {}
    /// Weighs the application's folders.
    var weighFolders: (ApplicationIndex) -> Void = { _ in }
    private let metering: Metering
    private let decider: Decider
    private let installed: Installation
    private let runs: RunTable
    private let faults: Faults

    init(
        _ decider: Decider, _ installed: Installation, _ runs: RunTable, _ table: WorkerTable, _ launcher: Launcher,
        _ listener: Listener, _ faults: Faults
    ) {
        self.decider = decider
        self.installed = installed
        self.runs = runs
        self.table = table
        self.launcher = launcher
        self.listener = listener
        self.faults = faults
        metering = Metering(decider, table, listener)
    }

    // MARK: The turn

    /// Whether no work is left for the next turn.
    var isSettled: Bool {
        launcher.isEmpty && listener.lost.isEmpty && markedForKill.isEmpty && gone.isEmpty && freezing.isEmpty
            && metering.isSettled
    }

    /// The host meters memory itself, by walks over the trees.
    private var metersTrees: Bool { launcher.groups.enforces(.memory) == .meter }

    /// Serves a ready descriptor of a worker or a zygote.
    func serve(_ key: SourceKey, _ ready: ReadySource) {
        switch key.kind {
        case .wire: listener.serveWire(of: key, ready)
        case .emptiness: listener.checkEmptiness(of: key)
        case .memoryEvents: listener.checkMemoryEvents(of: key)
        case .zygote: listener.serveZygote(key.index, ready)
        case .log, .errors, .signal, .source, .record: break
        }
    }

    /// Carries out actions that do not wait for the disk: warns runs that expire, kills those whose lease ends, and launches
    /// workers as far as the turn's time allows.
    ///
    /// If the host dies before an expiration is recorded, so does the worker, and none of its reports is lost; a run that
    /// begins in this turn is warned after its start. A worker may start while the record is written: no handler is invoked
    /// before its run is on disk, because `start` waits for the commit and the worker for `start`.
    func hurry(_ work: [Action]) {
        for case .urgent(let action) in work {
            switch action {
            case .expire(let worker, let run, let reason):
                guard runs[run].worker == worker, let record = table[worker] else { continue }
                warn(run, on: record, because: reason)
                table.flush(record)
            case .launch(let worker, let application, let memory): launcher.append(worker, application, memory)
            case .prepare(let worker, let application, let memory):
                launcher.append(worker, application, memory, isSpare: true)
            case .adopt(let worker, let memory): launcher.adopt(worker, memory)
            case .kill(let worker): if let record = table[worker] { kill(record) }
            }
        }
        launcher.launchSome(killsWait: !markedForKill.isEmpty)
    }

    // MARK: Effects

    /// Carries out what waited for the turn's record.
    func act(on work: [Action]) {
        for case .effect(let effect) in work { act(on: effect) }
    }

    private func act(on effect: Action.Effect) {
        switch effect {
        case .start(let worker, let run): start(run, on: worker)
        case .expired(let worker, let run, let reason): didExpire(run, on: worker, because: reason)
        case .setDeadline(let worker, let run): setDeadline(of: run, on: worker)
        case .state(let worker, let state):
            guard let record = table[worker] else { return }
            var status = launcher.status(state, of: record)
            let number = record.lifecycle.nextState()
            // A library that is not an application does not answer.
            if record.form.library?.isApplication == true { status.callID = number }
            table.tell(record, status.frame())
        case .expireAssertions(let worker): tell(worker, .expireAssertions)
        case .limitMemory(let worker, let limit):
            guard let record = table[worker] else { return launcher.setMemory(limit, of: worker) }
            _ = record.group.limitMemory(limit)
        case .examine(let worker): listener.examine(worker)
        case .meter(let worker):
            guard let record = table[worker] else { return }
            // Without enforcement by the kernel this reads the whole tree: too expensive for every completion.
            if metersTrees { metering.meter(record) } else { listener.meter(record) }
        case .weigh(let worker):
            if metersTrees, let record = table[worker] { return metering.weigh(record) }
            listener.tellWeight(of: worker, table[worker])
        case .sweep(let worker): sweep(worker)
        case .terminate(let worker): tell(worker, .terminate)
        case .kill(let worker): markForKill(worker)
        case .reply(let run):
            listener.passOutput(of: run)
            runs.reply(run)
        case .retire(let worker): gone.append(worker)
        case .freeze(let worker): freeze(worker)
        case .thaw(let worker): thaw(worker)
        case .allowSleep: allowSleep()
        case .handleSessionEvents(let worker): tellSessions(worker)
        case .meterSpace: meterSpace()
        case .weighFolders(let application): weighFolders(application)
        }
    }

    private func start(_ run: RunHandle, on worker: WorkerHandle) {
        guard let record = table[worker], let order = decider.order(for: run) else { return }
        Failpoint.pass(.start)
        runs[run].worker = worker
        runs[run].setup = record.setup
        runs[run].pid = record.pid
        runs[run].degraded = record.degraded
        runs[run].isExplained = record.explainer != nil
        for note in record.notes { runs[run].diagnostics.append(note) }
        let place = place(of: order.task, in: record)
        let secrets: DescriptorBundle?
        do throws(RunSecrets.Fault) {
            secrets = try self.secrets(of: place, in: record)
        } catch {
            runs.diagnose(error.sentence, run)
            return decider.hear(.declined(worker, run))
        }
        record.pace.budget.addRun()
        listener.print(run, on: record)
        let (payload, settings) = (runs[run].payload, runs[run].settings)
        var head = StartFrame(
            task: place, attempt: order.attempt, id: order.id,
            deadline: decider.byMachine(order.budgetEnd),
            payloadLength: UInt32(payload.count), settingsLength: UInt32(settings.count))
        var names: [String] = []
        if runs[run].identity != nil {
            let (identifier, title, subtitle) = (runs[run].identifier ?? "", runs[run].title, runs[run].subtitle)
            names = [identifier, title, subtitle]
            head.identifierLength = UInt16(identifier.utf8.count)
            head.titleLength = UInt16(title.utf8.count)
            head.subtitleLength = UInt16(subtitle.utf8.count)
        }
        if runs.telemetry != nil {
            names.append(TraceIdentity(of: order.id, under: runs[run].trace).traceparent)
            head.traceLength = UInt8(TraceIdentity.traceparentLength)
        }
        if let claim = runs[run].claim {
            names.append(claim.key.description)
            head.claimNumber = claim.number
        }
        head.secretCount = UInt8(secrets?.numbers.count ?? 0)
        record.channel.enqueue(
            head, run: run, payload: payload, settings: settings, names: names, secrets: secrets)
        runs.didStart(run)
        // The thread that hears of the run could be faster than the one that the kernel gives the signal to.
        if faults.strike(run, in: record) || record.pid == nil && faults.awaitsProcess(run) { record.isHeld = true }
        // What follows has a process without the fault.
        if record.hasFault { decider.hear(.renewed(application: record.application)) }
        table.talk(record)
    }

    /// What the manifest that the worker was launched by names for the task; a command of this process's own shell gets its streams,
    /// or, where descriptors are short, the log's.
    private func secrets(of place: UInt32, in record: WorkerRecord) throws(RunSecrets.Fault) -> DescriptorBundle? {
        let place = Int(place)
        guard place < record.form.tasks.count else { return nil }
        if case .command(let command) = record.form.tasks[place].handler, command.isOfShell {
            return try? DescriptorBundle(copying: (0..<Int32(ProgramCommand.shellStreams)).map { $0 })
        }
        return try RunSecrets.copies(
            of: record.form.tasks[place].secrets, manifestFolder: record.form.definition.manifestFolder)
    }

    /// The task's number in the worker.
    private func place(of task: TaskIndex, in record: WorkerRecord) -> UInt32 {
        guard record.form !== installed.applications[record.application] else { return installed.tasks[task].place }
        // Launched before a reload: the manifest had another order then.
        let identifier = installed.tasks[task].definition.identifier
        let place = record.form.tasks.firstIndex { $0.identifier == identifier }
        return place.map(UInt32.init) ?? .max
    }

    /// Notifies the watchers, now that it is recorded; the run itself was warned before, unless it has only begun.
    private func didExpire(_ run: RunHandle, on worker: WorkerHandle, because reason: Reason) {
        guard let record = table[worker] else { return }
        if !runs[run].isWarned {
            warn(run, on: record, because: reason)
            table.talk(record)
        }
        runs.didExpire(run, because: reason)
    }

    /// Gathers the warning for the worker.
    private func warn(_ run: RunHandle, on record: WorkerRecord, because reason: Reason) {
        Failpoint.pass(.expire)
        runs[run].isWarned = true
        // A plugin may have outlived its signal.
        record.isHeld = false
        var frame = FrameWriter(.expire, run: run)
        frame.integer(UInt32(reason.rawValue))
        record.channel.enqueue(frame.finished() ?? [])
        // The program, and what it has started; the worker ignores it.
        if record.form.definition.runsPrograms { record.group.signal(.SIGTERM) }
    }

    private func setDeadline(of run: RunHandle, on worker: WorkerHandle) {
        guard let record = table[worker], let end = decider.budgetEnd(of: run) else { return }
        var frame = FrameWriter(.deadline, run: run)
        frame.integer(decider.byMachine(end).nanoseconds)
        table.tell(record, frame.finished())
    }

    private func tell(_ worker: WorkerHandle, _ kind: FrameKind) {
        if let record = table[worker] { table.tell(record, FrameWriter(kind).finished()) }
    }

    /// Sends the application's status again, without a change of its state.
    private func tellStatus(of record: WorkerRecord, endsSuspension: Bool = false) {
        // Between two runs it was sent to the background, and receives nothing more.
        let state = decider.state(of: record.application)
        var status = launcher.status(state == .suspended ? .background : state, of: record)
        status.endsSuspension = endsSuspension
        table.tell(record, status.frame())
    }

    // MARK: Standing still

    private func freeze(_ worker: WorkerHandle) {
        guard let record = table[worker], !record.isGone else { return }
        record.group.freeze()
        record.isFrozen = true
        freezing.append(worker)
    }

    /// It receives what it missed.
    private func thaw(_ worker: WorkerHandle) {
        guard let record = table[worker], record.isFrozen else { return }
        freezing.removeAll { $0 == worker }
        record.isFrozen = false
        record.group.thaw()
        tellStatus(of: record, endsSuspension: true)
        launcher.network.tellHosts(to: record)
        tellNetwork(to: record)
    }

    /// The machine's network has changed: workers that watch it hear of it, suspended ones when they continue.
    func tellNetwork() {
        for record in table.living { tellNetwork(to: record) }
    }

    private func tellNetwork(to record: WorkerRecord) {
        guard record.watchesNetwork, !record.isFrozen, !record.isGone else { return }
        table.tell(record, NetworkFrame(decider.conditions.network).frame())
    }

    /// Its tree is frozen: its locks cannot change any more.
    private func look(at worker: WorkerHandle) {
        guard let record = table[worker], record.isFrozen, !record.isGone else { return }
        record.group.settleFreeze()
        let holdsLock = FileLocks.areHeld(by: record.group.processes(), outside: record.folders)
        decider.hear(.frozen(record.handle, holdsLock: holdsLock))
    }

    /// The engine repeats this until the tree is empty.
    private func markForKill(_ worker: WorkerHandle) {
        guard let record = table[worker] else {
            if launcher.drop(worker) { launcher.vanish(worker) }
            return
        }
        guard !record.ending.isMarkedForKill else { return }
        record.ending.isMarkedForKill = true
        markedForKill.append(worker)
    }

    /// Kills the whole tree, and reports when it is empty.
    private func killTree(of worker: WorkerHandle) {
        guard let record = table[worker] else { return }
        record.ending.isMarkedForKill = false
        if kill(record) { listener.checkEmptiness(of: record) }
    }

    /// Kills the whole tree; at first a single process alone. What that forks meanwhile is killed when its end is known.
    ///
    /// - Returns: false: it is known to be gone.
    @discardableResult
    private func kill(_ record: WorkerRecord) -> Bool {
        guard !record.ending.hasTreeExited else { return false }
        let isFirst = !record.isGone && !record.ending.hasBeenKilled
        tellLeftBehind(by: record)
        Failpoint.pass(.killBefore)
        if !isFirst || !record.group.killSingle() { record.group.kill() }
        Failpoint.pass(.killAfter)
        return true
    }

    /// Before a tree is killed first: what its last run left running cannot be named afterwards.
    private func tellLeftBehind(by record: WorkerRecord) {
        guard !record.isGone, !record.ending.hasBeenKilled else { return }
        record.ending.hasBeenKilled = true
        guard record.output.endedRuns.newest != nil, decider.runs(of: record.handle).isEmpty else { return }
        let others = record.group.processes().filter { $0 != record.pid }
        if let names = Listener.namesOfKilled(others) { listener.noteLeftBehind(names, by: record) }
    }

    /// An idle worker's tree is the worker alone.
    private func sweep(_ worker: WorkerHandle) {
        guard let record = table[worker], let own = record.pid else { return }
        let others = record.group.processes().filter { $0 != own && !record.isExplainer($0) }
        if let names = Listener.namesOfKilled(others) { listener.noteLeftBehind(names, by: record) }
        for pid in others {
            // The pidfd refers to that process even if the number is reused; the second check shows that it still belongs to
            // the tree.
            guard let process = try? ProcessHandle(opening: pid), record.group.processes().contains(pid) else {
                continue
            }
            try? process.signal(.SIGKILL)
        }
    }

    /// Goes on with the metering of trees, and kills and retires workers, in the order of the decisions and as far as the
    /// turn's time allows. A kill may wait 4 ms for the freeze of its tree; retirements have the time that kills leave.
    func clearSome() {
        metering.advance()
        guard !markedForKill.isEmpty || !gone.isEmpty || !freezing.isEmpty else { return }
        let portion = TurnPortion()
        let killed = portion.work(on: markedForKill, killTree)
        markedForKill.removeFirst(killed)
        let retired = portion.work(on: gone, retire)
        gone.removeFirst(retired)
        let looked = portion.work(on: freezing, look)
        freezing.removeFirst(looked)
    }

    private func retire(_ worker: WorkerHandle) {
        guard let record = table[worker] else {
            // It failed before there was anything to keep.
            decider.release(worker)
            return
        }
        Failpoint.pass(.retire)
        // There is no writer any more, and one reading takes everything in each pipe: the next turn records it.
        listener.drainLog(of: record)
        listener.noteUnheard(of: record)
        listener.noteUnlisted(of: record)
        table.remove(record)
        metering.forget(worker)
        listener.transfers?.forget(worker, of: record.application)
        launcher.forget(record)
        decider.release(worker)
    }

    // MARK: For others

    /// How process trees are controlled here.
    package var tier: String { launcher.groups.tier.rawValue }

    /// Kills every tree at once.
    func killAll() { for record in table.living { record.group.kill() } }

    /// Reads the usage of the application's workers.
    func meter(application: ApplicationIndex) {
        for record in table.living where record.application == application && !record.isGone {
            listener.meterOnce(record)
        }
    }

    /// Tells the application's workers whether background refresh is allowed.
    func tellRefreshChange(of application: ApplicationIndex) {
        for record in table.employed where record.application == application && !record.isFrozen {
            tellStatus(of: record)
        }
    }

    /// The application has another form now, or none.
    func willChange(_ application: ApplicationIndex) { launcher.willChange(application) }

    /// The application is new to a host that runs already.
    func arrived(_ application: ApplicationIndex) { runs.explanations.changed(application) }

    /// How many workers each application has, by its index; without those that were made ahead.
    package var counts: [ApplicationIndex: Int] {
        var counts: [ApplicationIndex: Int] = [:]
        for record in table.employed { counts[record.application, default: 0] += 1 }
        return counts
    }

    /// How many workers are in each state.
    package var states: [WorkerState: Int] {
        var busy: Set<WorkerHandle> = []
        for run in decider.activeRuns { if let worker = runs[run].worker { busy.insert(worker) } }
        var states: [WorkerState: Int] = [:]
        for record in table.living { states[record.state(isBusy: busy.contains(record.handle)), default: 0] += 1 }
        return states
    }

    /// Whether one of the application's workers was launched less than `span` ago.
    package func hasYoung(of application: ApplicationIndex, within span: TimeSpan) -> Bool {
        table.employed.contains { record in
            record.application == application && decider.now.instant - record.launched < span
        }
    }

    /// Asks the application's workers for the resources of their code: `count` returns their answer in a later turn.
    package func askCount(of application: ApplicationIndex) {
        for record in table.employed where record.application == application && !record.isGone {
            record.count = nil
            table.tell(record, FrameWriter(.census).finished())
            // Between two turns: the next one waits for the answer.
            table.flush(record)
        }
    }

    /// The last answer of the application's worker; nil: none yet.
    package func count(of application: ApplicationIndex) -> WorkerCount? {
        Array(table.employed).last { $0.application == application && !$0.isGone }?.count
    }

    /// The living worker of the application; nil when there is none. The youngest, when each run has its own.
    package func census(of application: ApplicationIndex) -> WorkerCensus? {
        let youngest = Array(table.employed).last { $0.application == application && !$0.isGone && $0.pid != nil }
        guard let record = youngest, let pid = record.pid else { return nil }
        return WorkerCensus(
            worker: pid, threads: ProcessStatus(of: pid)?.threads ?? 0,
            others: record.group.processes().count { $0 != pid }, cpuTime: record.group.cpuTime())
    }
}
