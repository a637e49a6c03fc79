import Engine
import Glibc
import Linux
import Record
import Scheduling
import TaskModel
import Workers

// How full the disk is: asked when the engine wants to know, and while it is nearly full and something waits.
extension Host {
    /// Between two looks whether there is room again: no file system tells.
    private static let spacePause = TimeSpan.seconds(5)

    /// 128 MiB, or a twentieth of a smaller file system.
    static func defaultFloor(of folder: String) -> ByteCount {
        let total = (try? FileSystem.space(of: folder))?.total ?? 0
        return min(.mebibytes(128), ByteCount(bytes: total / 20))
    }

    /// What a full disk means to this host. Once, before the first turn.
    func prepareRoom() {
        room.stopWriters = { [unowned self] in
            for case let record? in workers { record.group.kill() }
        }
        room.isUnwanted = { [unowned self] in
            var place = pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0)
            return poll(&place, 1, 0) > 0
        }
    }

    /// The first look, before anything is started.
    func beginDisk() { take(try? FileSystem.space(of: state.path)) }

    // MARK: Asking

    func meterSpace() { ask(.space(state.path)) }

    func weighFolders(_ application: Int) {
        let folders = state.existingFolders(of: applications[application].definition.identifier)
        askForHold(of: application)
        ask(.weight(application: UInt32(application), folders: folders))
    }

    func ask(_ question: DiskMeter.Question) {
        do throws(HostError) {
            if diskMeter == nil {
                let meter = try makeMeter()
                try add(meter)
                diskMeter = meter
            }
            diskMeter?.ask(question)
        } catch {
            // Without a descriptor nobody can say; the engine asks again.
            switch question {
            case .space: take(.space(nil))
            case .weight(let application, _): take(.weight(application: application, ByteCount(bytes: 0)))
            case .hold(let application, _): take(.weight(.noDescriptor), of: application)
            }
        }
    }

    private func makeMeter() throws(HostError) -> DiskMeter {
        do throws(SystemError) {
            return try DiskMeter(keeper: quotas.keeper) { [unowned self] in take($0) }
        } catch {
            throw .system(error)
        }
    }

    // MARK: Answers

    private func take(_ answer: DiskMeter.Answer) {
        switch answer {
        case .space(let space):
            take(space)
            engine.handle(
                .spaceMetered(free: ByteCount(bytes: space?.free ?? .max)), at: now, into: &actions)
        case .hold(let application, let hold): take(hold, of: application)
        case .weight(let application, let used):
            let runs = engine.activeRuns.filter { run in
                engine.run(run).map { engine.application(of: $0.task) == application } ?? false
            }
            // A completed run that waited for this ends with it.
            for case let record? in workers where record.application == Int(application) && !record.isGone {
                meterOnce(record)
            }
            engine.handle(.diskMetered(application: application, used: used), at: now, into: &actions)
            for run in runs {
                guard let slot = engine.run(run), slot.outcome == .exceededDisk else { continue }
                extras[Int(run.index)].diagnostics.append(
                    Self.sentence(on: used, tasks[Int(slot.task)].definition.budget.disk))
            }
        }
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
        let needed = diskFloor.bytes + diskFloor.bytes / 8
        if schedules, space.free > needed + UInt64(ReserveFile.size) { room.fillReserve() }
        setDiskLow(space.free < (device.observed.diskLow == .yes ? needed : diskFloor.bytes))
        settleSpaceLook()
    }

    // MARK: While it is nearly full

    var diskDeadline: Instant {
        min(isSpaceAwaited ? nextSpaceLook : .distantFuture, nextShrinking)
    }

    /// Somebody gains by knowing that there is room again.
    private var isSpaceAwaited: Bool { room.reserve.isOwed || scheduler.pendingCount > 0 }

    /// The turn's record found the disk full. Before anything is read of what that did to workers.
    func settleFullDisk() {
        guard room.wasFull else { return }
        room.wasFull = false
        setDiskLow(true)
        engine.handle(.diskFull(room.rest), at: now, into: &actions)
        settleSpaceLook()
    }

    func advanceDisk() {
        guard isSpaceAwaited, nextSpaceLook <= now.instant else { return }
        nextSpaceLook = .distantFuture
        meterSpace()
    }

    private func settleSpaceLook() {
        let isWanted = device.observed.diskLow == .yes || room.reserve.isOwed
        nextSpaceLook = isWanted && schedules ? now.instant + Self.spacePause : .distantFuture
    }
}
