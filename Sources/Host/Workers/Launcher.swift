import Engine
import Linux
import Record
import Scheduling
package import Setting
import TaskModel
import Wire
package import Workers

/// From the decision to launch to the request at the zygote. Thread: the loop's.
package final class Launcher {
    package let groups: ControlGroups
    /// Limits that the kernel does not hold here, and how to get them; nil: none.
    package let missing: HostGroups.Missing?
    let network: NetworkHolds
    let zygotes: Zygotes
    let quotas: DiskQuotas
    /// nil: the kernel records no refusals, or not for this host.
    let recorded: RecordedDenials?
    private var queue = LaunchQueue()
    private var gate = LaunchGate()
    private var spareGroups: SpareGroups
    /// The launch frames of each application.
    var made: [ApplicationIndex: LaunchFrames] = [:]
    let place: HostPlace
    let decider: Decider
    let installed: Installation
    private let runs: RunTable
    private let device: Device
    private let table: WorkerTable
    private let faults: Faults

    init(
        _ place: HostPlace, _ groups: HostGroups, spareGroups: SpareGroups, _ loop: EventLoop, _ decider: Decider,
        _ installed: Installation, _ runs: RunTable, _ device: Device, _ quotas: DiskQuotas, _ table: WorkerTable,
        _ faults: Faults
    ) throws(HostError) {
        self.place = place
        self.groups = groups.groups
        runs.explanations.isMetered = groups.groups.enforces(.memory) == .meter
        runs.explanations.passesOverLibraries = place.configuration.checksHandlers
        missing = groups.missing
        self.spareGroups = spareGroups
        self.decider = decider
        self.installed = installed
        self.runs = runs
        self.device = device
        self.quotas = quotas
        self.table = table
        self.faults = faults
        let executable = try WorkerExecutable.path()
        recorded = RecordedDenials(executable: executable)
        if let recorded { try loop.add(recorded) }
        zygotes = Zygotes(executable: executable, loop.poller)
        network = NetworkHolds(groups.groups, workerExecutable: executable, loop, decider, installed, table)
        network.release = { [unowned self] in queue.release($0) }
        quotas.release = { [unowned self] in queue.release($0) }
    }

    // MARK: The queue

    /// Whether nothing waits to be launched in a turn.
    var isEmpty: Bool { queue.isEmpty || !gate.lets(at: decider.now.instant) }

    /// When something can be launched that waits for descriptors.
    var nextDeadline: Instant { queue.isEmpty || !isEmpty ? .distantFuture : gate.deadline }

    /// - Parameter isSpare: it is made ahead, and waits for `adopt`.
    func append(
        _ worker: WorkerHandle, _ application: ApplicationIndex, _ memory: ByteCount, isSpare: Bool = false
    ) {
        queue.append(LaunchQueue.Entry(worker: worker, application: application, memory: memory, isSpare: isSpare))
        // A person who opens it does not wait for the end of a pause.
        if decider.state(of: application) == .inactive { gate.cameFree() }
    }

    /// The engine no longer wants a worker that is not launched yet. False: there is none.
    func drop(_ worker: WorkerHandle) -> Bool { queue.remove(worker) }

    /// A worker that is not launched yet gets another limit.
    func setMemory(_ memory: ByteCount, of worker: WorkerHandle) { queue.setMemory(memory, of: worker) }

    /// How many workers a turn launches at most.
    private static let launchesPerTurn = 8

    /// Launches waiting workers, as far as the turn's time allows.
    ///
    /// - Parameter killsWait: they are urgent: one worker is launched regardless of time.
    func launchSome(killsWait: Bool) {
        guard !queue.isEmpty else { return gate.drain() }
        let portion = TurnPortion()
        for _ in 0..<(killsWait ? 1 : Self.launchesPerTurn) {
            guard gate.lets(at: decider.now.instant), let entry = queue.popFirst() else { return }
            guard !network.waitsForNames(of: entry.application), !quotas.isAwaited(by: entry.application) else {
                queue.hold(entry)
                continue
            }
            guard !entry.isSpare || !gate.isShort && !runs.explains(entry.application) else {
                vanish(spare: entry.worker)
                continue
            }
            Failpoint.pass(.launchBefore)
            gate.begin(entry.worker, at: decider.now.instant)
            launch(entry)
            Failpoint.pass(.launchAfter)
            guard !portion.isOver else { return }
        }
    }

    private func flavor(of installed: InstalledApplication, _ frames: LaunchFrames) -> ZygoteFlavor {
        if installed.definition.confinement == .unconfined || frames.isFromLauncher { return .unconfined }
        return switch installed.library?.needs {
        case .foundation: .foundation
        case .swift: .swift
        case .system, nil: .plain
        }
    }

    private func launch(_ entry: LaunchQueue.Entry) {
        do throws(LaunchFault) {
            let group = try makeGroup(for: entry.application)
            do throws(LaunchFault) {
                try launch(entry, in: group)
            } catch {
                // The group has no other owner yet.
                if table[entry.worker] == nil { keepForReuse(group, of: entry.application) }
                throw error
            }
        } catch {
            table[entry.worker]?.isGone = true
            guard !entry.isSpare else { return vanish(spare: entry.worker) }
            tell(error, of: entry.worker)
            vanish(entry.worker)
        }
    }

    private func launch(_ entry: LaunchQueue.Entry, in group: ControlGroup) throws(LaunchFault) {
        let (worker, application, memory) = (entry.worker, entry.application, entry.memory)
        let installed = self.installed.applications[application]
        let explains = runs.explains(application)
        if installed.definition.confinement == .unconfined { try boundary.check(unconfined: installed.definition) }
        let fault = faults.takeForLaunch(of: worker)
        let frames = try frames(of: application, group: group, explains: explains, fault)
        let flavor = flavor(of: installed, frames)
        let (channel, far) = try makeChannel()
        // The kernel returns the lowest free number: a high one means that hardly any other is free.
        guard max(channel.wire, channel.log, channel.errors) < DescriptorLimit.forWorkers else {
            throw LaunchFault(.descriptors, "its worker would take a descriptor that the host keeps for other work")
        }
        let record = WorkerRecord(
            handle: worker, application: application, form: installed, channel: channel, group: group, zygote: flavor,
            launched: decider.now.instant, folders: frames.folders, degraded: frames.degraded,
            wasMadeAhead: entry.isSpare)
        if explains, !installed.definition.runsPrograms {
            record.isToBeExplained = true
            runs.explanations.begin(of: application, at: decider.now.instant)
        }
        table.insert(record)
        record.notes = network.hold(of: application)?.notes ?? []
        if fault == .diskFull {
            record.hasFault = true
            record.notes.append(Faults.sentence(of: .diskFull))
        }
        if let connectGuard = network.hold(of: application)?.connectGuard {
            // The worker tests and reports whether they work.
            try? group.hold(connectGuard)
        }
        // Where the kernel can hold it, no run goes without.
        let isBound = group.limitMemory(memory) || groups.enforces(.memory) != .kernel
        let isCounted =
            group.limitProcesses(mostProcesses(of: installed.definition)) || groups.enforces(.processes) != .kernel
        guard isBound, isCounted else {
            throw LaunchFault(.host, "the limits of its control group could not be set")
        }
        var descriptors = far.numbers
        if let library = installed.library { descriptors.append(library.file.descriptor.number) }
        if let folder = group.cloneDescriptor { descriptors.append(folder) }
        descriptors += group.placementDescriptors
        do throws(SystemError) {
            try table.watch(record)
            try zygotes.launch(
                frames.launch, callID: worker.callID, descriptors: descriptors, on: flavor,
                writable: self.installed.writable.paths)
        } catch {
            throw LaunchFault(error, "its worker could not be launched")
        }
        record.tasks = frames.tasks
        // The end of one that has died already is reported.
        if !entry.isSpare { _ = begin(record) }
    }

    /// The worker, confined by then, maps its library and goes on.
    ///
    /// - Returns: false: there is no worker any more.
    private func begin(_ record: WorkerRecord) -> Bool {
        record.channel.enqueue(firstStatus(of: record.application).frame())
        for frame in record.tasks { record.channel.enqueue(frame) }
        record.tasks = []
        let flow = record.channel.flush()
        if flow == .full { table.talk(record) }
        return flow != .closed && flow != .broken
    }

    /// A run takes the worker that was made ahead.
    func adopt(_ worker: WorkerHandle, _ memory: ByteCount) {
        queue.adopt(worker, memory)
        guard let record = table[worker], record.isSpare, !record.isGone else { return }
        let application = record.application
        guard !record.ending.isLost, record.form === installed.applications[application], !runs.explains(application),
            !faults.hasForLaunch(of: worker), record.group.limitMemory(memory) || groups.enforces(.memory) != .kernel
        else { return decider.hear(.stale(worker)) }
        record.launched = decider.now.instant
        // Name servers change with the networks that a machine is in.
        try? network.hold(of: application)?.update()
        network.tellHosts(to: record)
        // It may have died without the host's knowledge.
        if !begin(record) { decider.hear(.stale(worker)) }
    }

    /// Without confinement as many as the machine has numbers for.
    private func mostProcesses(of definition: ApplicationDefinition) -> Int {
        definition.confinement == .full ? place.configuration.processes : Self.everyProcess
    }

    /// PID_MAX_LIMIT of 64-bit kernels (proc_sys_kernel(5)).
    private static let everyProcess = 4 << 20

    var boundary: WriteBoundary {
        WriteBoundary(
            state: place.state, configuration: place.configuration.file, writable: installed.writable.paths)
    }

    private func makeChannel() throws(LaunchFault) -> (WorkerChannel, WorkerChannel.FarEnds) {
        do throws(SystemError) {
            return try WorkerChannel.make()
        } catch {
            throw LaunchFault(error, "no channel to a worker")
        }
    }

    /// There is no process, and there will be none.
    func vanish(_ worker: WorkerHandle) {
        gate.end(worker)
        decider.hear(.exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
        decider.hear(.treeExited(worker))
    }

    /// There is no process ahead after all. A run that has taken it is launched as any other, and says what is wrong if it still is.
    private func vanish(spare worker: WorkerHandle) {
        decider.hear(.stale(worker))
        vanish(worker)
    }

    private func makeGroup(for application: ApplicationIndex) throws(LaunchFault) -> ControlGroup {
        if let group = spareGroups.take(of: application) { return group }
        do throws(ControlGroupError) {
            return try groups.make(installed.name(of: application))
        } catch {
            throw LaunchFault(error, "no control group for its worker")
        }
    }

    /// While descriptors are short it is removed: those that it holds may be what the next launch lacks.
    ///
    /// - Parameter isEmptied: it was seen, after the end of its worker, to be empty.
    private func keepForReuse(_ group: ControlGroup, of application: ApplicationIndex, isEmptied: Bool = false) {
        guard !gate.isShort, network.isHeldAsNow(group, application), group.recycle(isEmptied: isEmptied) else {
            _ = group.remove()
            return
        }
        if let other = spareGroups.keep(group, of: application) { _ = other.remove() }
    }

    private func removeSpareGroups(of application: ApplicationIndex? = nil) {
        for group in spareGroups.takeAll(of: application) { _ = group.remove() }
    }

    /// Descriptors are short: theirs come free.
    private func giveUpSpareGroups() {
        guard !spareGroups.isEmpty else { return }
        removeSpareGroups()
        gate.cameFree()
        decider.hear(.descriptorsCameFree)
    }

    /// Notes the worker for the next host, which may have to end it: control groups make that unnecessary.
    func note(_ record: WorkerRecord, pid: Int32) {
        // What is not confined has no mark by which the next host would know it for a worker's.
        guard groups.tier == .none, record.form.definition.confinement == .full else { return }
        place.state.workers.note(pid, user: made[record.application]?.user ?? 0, in: record.handle.index)
    }

    /// The worker is ready.
    func isReady(_ worker: WorkerHandle) { gate.end(worker) }

    /// The worker has ended.
    func forget(_ record: WorkerRecord) {
        gate.end(record.handle)
        gate.cameFree()
        keepForReuse(record.group, of: record.application, isEmptied: record.ending.hasTreeExited)
        // What was never ready lacked them itself.
        if record.stage == .ready { decider.hear(.descriptorsCameFree) }
        place.state.workers.forget(record.handle.index)
    }

    /// The application has another version, or was removed: its frames are discarded.
    func willChange(_ application: ApplicationIndex) {
        removeSpareGroups(of: application)
        made[application] = nil
        runs.explanations.changed(application)
        network.forget(application)
        quotas.forget(application)
    }

    /// The application's status for a worker at its launch.
    private func firstStatus(of application: ApplicationIndex) -> ApplicationStatus {
        let isInFront = decider.state(of: application) == .inactive
        return status(isInFront ? .inactive : .background, of: application)
    }

    /// The application's status for a worker in that state.
    func status(_ state: ApplicationState, of record: WorkerRecord) -> ApplicationStatus {
        var status = status(state, of: record.application)
        status.backgroundEnd = decider.byMachine(decider.backgroundEnd(of: record.handle))
        return status
    }

    private func status(_ state: ApplicationState, of application: ApplicationIndex) -> ApplicationStatus {
        let memory = decider.memory(of: application)
        let isDenied = memory.isRefreshDenied || device.state.effective.backgroundRefresh == .no
        return ApplicationStatus(
            state: state, backgroundRefresh: isDenied ? .denied : .available,
            backgroundTime: decider.limits.profile.backgroundTime)
    }

    /// Releases the resources for launches. Call it when no worker lives any more.
    func close() {
        removeSpareGroups()
        zygotes.close()
        // A folder could not be removed while something in it had not been reaped.
        try? groups.emptyLeftovers()
        _ = groups.remove()
    }

    // MARK: Launches that went wrong

    /// Tells the engine that the worker cannot be launched, or cannot serve, and the runs why.
    func tell(_ fault: LaunchFault, of worker: WorkerHandle) {
        if table[worker]?.isUnused == true { return decider.hear(.stale(worker)) }
        let waiting = decider.runs(of: worker)
        for run in waiting { runs.diagnose(fault.sentence.cut(toBytes: LaunchRefusal.maximumSentence), run) }
        let application = decider.application(of: worker)
        guard let shortage = fault.shortage else {
            gate.end(worker)
            if let application, waiting.isEmpty {
                // Only the user who opened it, or the host that launches it for the first time, waits for it.
                runs.announcer.note(.launchFailed, installed.name(of: application), fault.sentence)
            }
            return decider.hear(.refused(worker))
        }
        if shortage == .descriptors, !queue.contains(worker) {
            gate.lacked(at: decider.now.instant)
        } else {
            gate.end(worker)
        }
        // A request has its own tally.
        let hasRequest = waiting.contains { runs[$0].request != nil }
        decider.hear(.lacked(worker, shortage))
        for run in waiting { runs.tellWait(of: run) }
        if shortage == .descriptors { giveUpSpareGroups() }
        if let application, !hasRequest { noteShortage(of: application) }
    }

    /// A shortage of launches without a request has lasted: the user should know.
    private func noteShortage(of application: ApplicationIndex) {
        guard let tally = decider.shortage(of: application), tally.returns == ShortageTally.mostReturns else {
            return
        }
        runs.announcer.note(
            .shortage, installed.name(of: application),
            "its launches lacked \(tally.cause.wanted) \(tally.returns) times within an hour; they are tried once a minute "
                + "now")
    }

    // MARK: Slow launches

    /// A worker was not ready in time. The machine is at fault if the worker had to wait for a processor or a disk for more
    /// than half of that time, or goes on without having had that time on a processor.
    func examine(_ worker: WorkerHandle) {
        if queue.contains(worker), !gate.lets(at: decider.now.instant) {
            return tell(
                LaunchFault(.descriptors, "its worker could not be launched: others wait for descriptors too"),
                of: worker)
        }
        guard let record = table[worker], let pid = record.pid else {
            let fault = LaunchFault(
                .time,
                "no process was made for its worker within \(decider.limits.profile.launch): the process that "
                    + "workers are forked from is busy")
            return tell(fault, of: worker)
        }
        // Its end says more; and the record may have been slower than the worker.
        guard !record.ending.isLost, record.stage == .born || record.stage == .confined else { return }
        let span = decider.now.instant - record.launched
        let found = LaunchExamination(of: pid, after: span, group: record.group, library: record.form.library?.path)
        let limit = decider.limits.profile.launch
        let before = record.ending.usedAtLook
        switch found.cause(limit: limit, after: span, hasConfined: record.stage != .born, usedBefore: before) {
        case .unclear:
            record.ending.looks += 1
            record.ending.usedAtLook = found.used ?? .zero
            // The engine asks again after the time of a launch.
            guard record.ending.looks >= LaunchExamination.mostLooks else { return }
            let sentence =
                "its worker was not ready within \(span): it goes on, and had \(found.used ?? .zero) of processor time"
            return tell(LaunchFault(.time, sentence), of: worker)
        case .waiting:
            let sentence =
                "its worker was not ready within \(span), of which it waited \(found.processor ?? .zero) for a processor "
                + "and \(found.disk ?? .zero) for a disk"
            return tell(LaunchFault(.time, sentence), of: worker)
        case .worker:
            let sentence =
                "its worker was not ready within \(span): it hangs in its own code, before the library is mapped; "
                + "\(found.whereabouts), after \(found.used ?? .zero) of processor time"
            return tell(LaunchFault(.host, sentence), of: worker)
        case .library: break
        }
        let waiting = decider.runs(of: worker)
        for run in waiting { runs.diagnose(found.sentence(after: span), run) }
        if waiting.isEmpty {
            // A run reports it with its end.
            decider.crashed(record.application)
        }
        decider.hear(.hung(worker))
    }
}
