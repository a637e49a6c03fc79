import TaskModel

// What applications keep on the disk, charged to the runs that write it.
//
// Reading the free space is one cheap call; measuring a folder takes many. So the engine reads the free space while runs are
// in progress, sooner when little is left or it shrinks quickly. It measures folders only where the result can matter: when
// more space has gone since an application was measured than its budget allows, when a run completes that had time to write
// that much, and when the disk is nearly full.
extension Engine {
    /// A completed run waits for its weight no longer than this: a file system may hang.
    private static let weighingPatience = TimeSpan.seconds(5)

    // MARK: Free space

    /// A run has started that may write.
    mutating func watchDisk(for run: RunIndex) {
        guard limits.diskFloor != nil else { return }
        runs[run].weightAtStart = applications[runs[run].rules.application].weight
        guard disk.next == .distantFuture, !disk.isAwaited else { return }
        disk.span = DiskWatch.shortestSpan
        disk.next = now.instant + disk.span
    }

    mutating func lookAtDisk() {
        disk.next = .distantFuture
        disk.isAwaited = true
        actions.append(.effect(.meterSpace))
    }

    mutating func spaceMetered(_ free: ByteCount) {
        guard let floor = limits.diskFloor else { return }
        let isFalling = disk.free.map { $0.bytes > free.bytes &+ DiskWatch.noise.bytes } ?? false
        disk.isAwaited = false
        disk.free = free
        disk.isLow = free < floor
        var isWriting = false
        forEachWorker { engine, worker in
            guard engine.workers[worker].phase == .ready else { return }
            let application = engine.workers[worker].application
            let isActive = !engine.workers[worker].runs.isEmpty
            if isActive { isWriting = true }
            if engine.disk.isLow ? isActive : engine.mayBeTooHeavy(application, free: free) {
                engine.weighFolders(application)
            }
        }
        guard isWriting else {
            disk.next = .distantFuture
            return
        }
        let room = TimeSpan(
            nanoseconds: Int64((Double(free.bytes - min(free, floor).bytes) / Double(DiskWatch.fastestRate) * 1e9)))
        disk.span =
            isFalling || disk.isLow
            ? DiskWatch.shortestSpan
            : min(disk.span + disk.span, min(max(room, DiskWatch.shortestSpan), DiskWatch.longestSpan))
        disk.next = now.instant + disk.span
    }

    /// Whether the space that has gone since the application was measured could put its folders over budget.
    private func mayBeTooHeavy(_ application: ApplicationIndex, free: ByteCount) -> Bool {
        let slot = applications[application]
        guard let weight = slot.weight else { return true }
        let gone = slot.freeAtWeighing.bytes - min(slot.freeAtWeighing, free).bytes
        let (most, isBeyond) = weight.bytes.addingReportingOverflow(gone)
        return gone > 0 && (isBeyond || most > slot.disk.bytes)
    }

    /// The host itself found no room. Runs that were warned for that and still write are killed.
    mutating func diskFull(_ reserve: DiskReserve) {
        guard limits.diskFloor != nil else { return }
        forEachWorker { engine, worker in
            guard engine.workers[worker].phase == .ready else { return }
            engine.forEachRun(of: worker) { engine, run in
                guard engine.workers[worker].phase == .ready else { return }
                let slot = engine.runs[run]
                if slot.phase == .expiring && slot.reason == .diskLow {
                    engine.kill(for: run, as: .overran)
                } else if reserve == .none && slot.isActive {
                    engine.runs[run].reason = .diskLow
                    engine.kill(for: run, as: .interrupted)
                } else if reserve != .ample && slot.phase == .running {
                    engine.expire(run, because: .diskLow)
                }
            }
        }
        spaceMetered(ByteCount(bytes: 0))
    }

    // MARK: Weights

    mutating func weighFolders(_ application: ApplicationIndex) {
        guard !applications[application].isBeingWeighed else { return }
        applications[application].isBeingWeighed = true
        actions.append(.effect(.weighFolders(application: application)))
    }

    mutating func diskMetered(
        _ application: ApplicationIndex, _ used: ByteCount
    ) {
        guard limits.diskFloor != nil, applications.contains(application) else { return }
        applications[application].isBeingWeighed = false
        applications[application].weight = used
        applications[application].freeAtWeighing = disk.free ?? ByteCount(bytes: .max)
        let isOld = applications[application].isWeighedAgain
        applications[application].isWeighedAgain = false
        forEachWorker { engine, worker in
            guard engine.workers[worker].application == application else { return }
            if engine.workers[worker].phase == .ready { engine.charge(worker, used) }
            guard !isOld else { return }
            engine.forEachRun(of: worker) { engine, run in
                guard engine.runs[run].awaitsWeight, engine.workers[worker].phase == .ready else { return }
                engine.settle(run)
            }
        }
        if isOld { weighFolders(application) }
    }

    /// Existing files do not count against a run, unless their size was unknown.
    private static func isTooHeavy(_ used: ByteCount, before: ByteCount, budget: ByteCount) -> Bool {
        used > budget && (used > before || used.bytes == .max)
    }

    /// Kills for runs that made their folders too heavy, and warns those that fill the disk.
    private mutating func charge(
        _ worker: WorkerIndex, _ used: ByteCount
    ) {
        var isTooHeavy = false
        let isLow = disk.isLow
        forEachRun(of: worker) { engine, run in
            let slot = engine.runs[run]
            guard slot.isActive else { return }
            guard let before = slot.weightAtStart else {
                engine.runs[run].weightAtStart = used
                return
            }
            if Self.isTooHeavy(used, before: before, budget: slot.rules.disk) {
                engine.markForKill(run, as: .exceededDisk)
                isTooHeavy = true
            } else if isLow, slot.phase == .running, used.bytes > before.bytes &+ DiskWatch.noise.bytes {
                engine.expire(run, because: .diskLow)
            }
        }
        if isTooHeavy { kill(worker) }
    }

    /// More was written than the folders may hold. The kernel does not say which of its runs wrote it.
    mutating func diskRefused(_ application: ApplicationIndex) {
        guard limits.diskFloor != nil else { return }
        forEachWorker { engine, worker in
            guard engine.workers[worker].application == application, engine.workers[worker].phase == .ready else {
                return
            }
            var isGuilty = false
            engine.forEachRun(of: worker) { engine, run in
                guard engine.runs[run].isActive else { return }
                engine.markForKill(run, as: .exceededDisk)
                isGuilty = true
            }
            if isGuilty { engine.kill(worker) }
        }
    }

    // MARK: At the end of a run

    /// Whether the run may have exceeded its budget: it had the time, or its folders were over budget before.
    @inline(__always) func isToBeWeighed(_ run: RunIndex, at now: ClockReading) -> Bool {
        guard limits.diskFloor != nil, let started = runs[run].started else { return false }
        let rules = runs[run].rules
        let seconds = (now.instant - started.instant).seconds
        if seconds * Double(DiskWatch.fastestRate) > Double(rules.disk.bytes) { return true }
        return applications[rules.application].weight.map { $0 > rules.disk } ?? false
    }

    /// The run has completed with that outcome, which holds unless its folders are over budget.
    mutating func awaitWeight(
        of run: RunIndex, as outcome: Outcome
    ) {
        let application = runs[run].rules.application
        runs[run].phase = .ending
        runs[run].outcome = outcome
        runs[run].awaitsWeight = true
        runDeadlines.set(run, to: now.instant + Self.weighingPatience)
        if applications[application].isBeingWeighed {
            applications[application].isWeighedAgain = true
        } else {
            weighFolders(application)
        }
    }

    /// Its folders were weighed, or cannot be.
    mutating func settle(_ run: RunIndex) {
        guard let worker = runs[run].worker else { return }
        let slot = runs[run]
        let used = applications[slot.rules.application].weight ?? ByteCount(bytes: 0)
        let isTooHeavy =
            slot.weightAtStart.map { Self.isTooHeavy(used, before: $0, budget: slot.rules.disk) } ?? false
        runs[run].awaitsWeight = false
        end(run, as: isTooHeavy ? .exceededDisk : slot.outcome ?? .failed)
        leaveWorker(worker)
    }
}
