import Engine
import Linux
import Scheduling
import Record
import Setting
import TaskModel
import Transfers
import Workers

/// Free disk space: measured when the engine asks for it, and while the disk is nearly full and work waits. Thread: the
/// loop's.
final class Disk {
    /// Measures the disk, since the first request.
    private var meter: DiskMeter?
    /// Free space below which the disk counts as nearly full.
    private let floor: ByteCount
    /// When to check again whether there is space; `distantFuture`: there is, or no work waits for it.
    private var nextLook = Instant.distantFuture
    private let place: HostPlace
    private let loop: EventLoop
    private let decider: Decider
    private let keeper: RecordKeeper
    private let device: Device
    private let installed: Installation
    private let runs: RunTable
    private let workers: WorkerEffects
    private let quotas: DiskQuotas
    private var steps = SpaceSteps()
    /// Receives the size of an application's folders.
    var weighed: (ApplicationIndex, ByteCount) -> Void = { _, _ in }

    /// The pause between two checks: file systems announce nothing.
    private static let pause = TimeSpan.seconds(5)

    init(
        _ place: HostPlace, _ loop: EventLoop, _ decider: Decider, _ keeper: RecordKeeper, _ device: Device,
        _ installed: Installation, _ runs: RunTable, _ workers: WorkerEffects, _ quotas: DiskQuotas
    ) {
        self.place = place
        self.loop = loop
        self.decider = decider
        self.keeper = keeper
        self.device = device
        self.installed = installed
        self.runs = runs
        self.workers = workers
        self.quotas = quotas
        floor = decider.limits.diskFloor ?? StateSpace.defaultFloor(of: place.state.path)
        keeper.room.stopWriters = { [unowned workers] in workers.killAll() }
        keeper.room.isUnwanted = { [unowned loop] in loop.signals.isWaiting }
        device.lookAtSpace = { [unowned self] in lookAtSpace() }
        device.watchSpace = { [unowned self] in watchSpace() }
        // The condition's steps are updated before the task can start.
        installed.spaceIsAskedFor = { [unowned self] in if steps.add($0) { lookAtSpace() } }
        quotas.ask = { [unowned self] in ask($0) }
        quotas.refused = { [unowned self] in refused($0) }
        quotas.lost = { [unowned self] in
            for application in self.workers.counts.keys { self.quotas.limitAgain(application) }
        }
    }

    /// The first measurement, before anything is started.
    func begin() { take(try? FileSystem.space(of: place.state.path)) }

    // MARK: What tasks ask for

    /// Reads the free space before work that needs some starts. The record is on the same file system, so this hangs only
    /// when the record does.
    private func lookAtSpace() {
        guard place.schedules, steps.isLookDue(at: decider.now.instant) else { return }
        take(try? FileSystem.space(of: place.state.path))
    }

    /// Reads it while files are written, at most once a second.
    func lookForTransfers() {
        guard steps.isLookOld(at: decider.now.instant) else { return }
        take(try? FileSystem.space(of: place.state.path))
    }

    /// Reads it repeatedly while due work waits for space.
    private func watchSpace() {
        guard place.schedules, nextLook == .distantFuture, isSpaceLacking else { return }
        nextLook = decider.now.instant + Self.pause
    }

    private var isSpaceLacking: Bool {
        device.state.observed.freeSpace < .max && decider.requestsAwait(.disk) || decider.transfersAwaitSpace
    }

    // MARK: Asking

    func meterSpace() { ask(.space(place.state.path)) }

    func weighFolders(_ application: ApplicationIndex) {
        let folders = place.state.existingFolders(of: installed.name(of: application))
        quotas.askOnce(of: application)
        ask(.weight(application: application, folders: folders))
    }

    private func ask(_ question: DiskMeter.Question) {
        do throws(HostError) {
            if meter == nil {
                let made = try HostError.rethrowing(
                    system: DiskMeter(keeper: quotas.keeper) { [unowned self] in take($0) })
                try loop.add(made)
                meter = made
            }
            meter?.ask(question)
        } catch {
            // Without a descriptor the result is unknown; the engine asks again.
            switch question {
            case .space: take(.space(nil))
            case .weight(let application, _): take(.weight(application: application, ByteCount(bytes: 0)))
            case .hold(let application, _): quotas.take(.weight(.noDescriptor), of: application)
            }
        }
    }

    // MARK: Answers

    private func take(_ answer: DiskMeter.Answer) {
        switch answer {
        case .space(let space):
            take(space)
            decider.hear(.spaceMetered(free: ByteCount(bytes: space?.free ?? .max)))
        case .hold(let application, let hold): quotas.take(hold, of: application)
        case .weight(let application, let used):
            let concerned = runs.active(in: application)
            // A completed run that waited for this ends with it.
            workers.meter(application: application)
            decider.hear(.diskMetered(application: application, used: used))
            weighed(application, used)
            for run in concerned {
                guard let slot = decider.run(run), slot.outcome == .exceededDisk else { continue }
                runs[run].diagnostics.append(Self.sentence(on: used, installed.tasks[slot.task].definition.budget.disk))
            }
        }
    }

    /// The file system refused the application more than its folders may hold.
    private func refused(_ application: ApplicationIndex) {
        let concerned = runs.active(in: application).filter { decider.run($0)?.outcome == nil }
        workers.meter(application: application)
        decider.hear(.diskRefused(application: application))
        for run in concerned where decider.run(run)?.outcome == .exceededDisk {
            runs[run].diagnostics.append(
                "the file system refused it more than the \(quotas.budget(of: application)) that its folders may hold"
            )
        }
        quotas.limitAgain(application)
    }

    private static func sentence(on used: ByteCount, _ budget: ByteCount) -> String {
        used.bytes == .max
            ? "its folders hold more than \(FolderWeight.mostEntries) files, or folders too deep to be counted: they count as full"
            : "its folders hold \(used) of \(budget)"
    }

    /// Opens or closes the gate, and makes the reserve whole again.
    private func take(_ space: FileSystem.Space?) {
        guard let space else { return }
        // A little more than the floor opens the gate again, so that it does not flutter.
        let needed = floor.bytes + floor.bytes / 8
        if place.schedules, space.free > needed + UInt64(ReserveFile.size) { keeper.room.fillReserve() }
        let isLow = space.free < (device.state.observed.diskLow == .yes ? needed : floor.bytes)
        steps.noteLook(at: decider.now.instant)
        let free = steps.step(of: space.free, floor: floor.bytes, before: device.state.observed.freeSpace)
        device.setDisk(isLow: isLow, free: free)
        decider.setFreeSpace(Int64(clamping: space.free))
        settleLook()
    }

    // MARK: While it is nearly full

    /// When to read it without an event.
    var nextDeadline: Instant { isSpaceAwaited ? nextLook : .distantFuture }

    /// Work waits for free space.
    private var isSpaceAwaited: Bool {
        keeper.room.reserve.isOwed || decider.pendingRequestCount > 0 || decider.transfersAwaitSpace
    }

    /// The turn's record found the disk full. Before anything is read of what that did to workers.
    func settleFull() {
        guard keeper.room.wasFull else { return }
        keeper.room.wasFull = false
        device.setDisk(isLow: true, free: device.state.observed.freeSpace)
        decider.hear(.diskFull(keeper.room.rest))
        settleLook()
    }

    func advance() {
        guard isSpaceAwaited, nextLook <= decider.now.instant else { return }
        nextLook = .distantFuture
        meterSpace()
    }

    private func settleLook() {
        let isWanted = device.state.observed.diskLow == .yes || keeper.room.reserve.isOwed || isSpaceLacking
        nextLook = isWanted && place.schedules ? decider.now.instant + Self.pause : .distantFuture
    }
}
