import TaskModel

// What applications keep on the disk, charged to the runs that write it.
//
// How much is free is one cheap question; what a folder holds is many. So the first is asked while runs go on, sooner the less
// is free and the faster it goes, and the second only where the answer could matter: when more has gone since an application
// was weighed than its budget allows, when a run completes that had time to write so much, and when the disk is nearly full.
extension Engine {
    /// A completed run waits for its weight no longer than this: a file system may hang.
    private static let weighingPatience = TimeSpan.seconds(5)

    // MARK: Free space

    /// A run has started that may write.
    mutating func watchDisk(for index: UInt32, at now: Moment) {
        guard limits.diskFloor != nil else { return }
        runs[Int(index)].weightAtStart = applications[Int(runs[Int(index)].rules.application)].weight
        guard disk.next == .distantFuture, !disk.isAwaited else { return }
        disk.span = DiskWatch.shortestSpan
        disk.next = now.instant + disk.span
    }

    mutating func lookAtDisk(into actions: inout [Action]) {
        disk.next = .distantFuture
        disk.isAwaited = true
        actions.append(.meterSpace)
    }

    mutating func spaceMetered(_ free: ByteCount, at now: Moment, into actions: inout [Action]) {
        guard let floor = limits.diskFloor else { return }
        let isFalling = disk.free.map { $0.bytes > free.bytes &+ DiskWatch.noise.bytes } ?? false
        disk.isAwaited = false
        disk.free = free
        disk.isLow = free < floor
        var isWriting = false
        for index in workers.indices where workers[index].phase == .ready {
            let isActive = workers[index].runs > 0
            if isActive { isWriting = true }
            if disk.isLow ? isActive : mayBeTooHeavy(workers[index].application, free: free) {
                weighFolders(workers[index].application, into: &actions)
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

    /// Whether what has gone since the application was weighed could have made its folders hold more than they may.
    private func mayBeTooHeavy(_ application: UInt32, free: ByteCount) -> Bool {
        let slot = applications[Int(application)]
        guard let weight = slot.weight else { return true }
        let gone = slot.freeAtWeighing.bytes - min(slot.freeAtWeighing, free).bytes
        let (most, isBeyond) = weight.bytes.addingReportingOverflow(gone)
        return gone > 0 && (isBeyond || most > slot.disk.bytes)
    }

    /// The host itself found no room. Who was warned for that and still writes has had its chance.
    mutating func diskFull(_ reserve: DiskReserve, at now: Moment, into actions: inout [Action]) {
        guard limits.diskFloor != nil else { return }
        for index in workers.indices where workers[index].phase == .ready {
            forEachRun(of: UInt32(index)) { engine, run in
                guard engine.workers[index].phase == .ready else { return }
                let slot = engine.runs[Int(run)]
                if slot.phase == .expiring && slot.reason == .diskLow {
                    engine.kill(for: run, as: .overran, at: now, into: &actions)
                } else if reserve == .none && slot.isActive {
                    engine.runs[Int(run)].reason = .diskLow
                    engine.kill(for: run, as: .interrupted, at: now, into: &actions)
                } else if reserve != .ample && slot.phase == .running {
                    engine.expire(run, because: .diskLow, at: now, into: &actions)
                }
            }
        }
        spaceMetered(ByteCount(bytes: 0), at: now, into: &actions)
    }

    // MARK: Weights

    mutating func weighFolders(_ application: UInt32, into actions: inout [Action]) {
        guard !applications[Int(application)].isBeingWeighed else { return }
        applications[Int(application)].isBeingWeighed = true
        actions.append(.weighFolders(application: application))
    }

    mutating func diskMetered(_ application: UInt32, _ used: ByteCount, at now: Moment, into actions: inout [Action]) {
        guard limits.diskFloor != nil, Int(application) < applications.count else { return }
        applications[Int(application)].isBeingWeighed = false
        applications[Int(application)].weight = used
        applications[Int(application)].freeAtWeighing = disk.free ?? ByteCount(bytes: .max)
        let isOld = applications[Int(application)].isWeighedAgain
        applications[Int(application)].isWeighedAgain = false
        for index in workers.indices where workers[index].application == application {
            let worker = UInt32(index)
            if workers[index].phase == .ready { charge(worker, used, at: now, into: &actions) }
            guard !isOld else { continue }
            forEachRun(of: worker) { engine, run in
                guard engine.runs[Int(run)].awaitsWeight, engine.workers[index].phase == .ready else { return }
                engine.settle(run, at: now, into: &actions)
            }
        }
        if isOld { weighFolders(application, into: &actions) }
    }

    /// What was there before is not held against a run, unless nobody could say how much that is.
    private static func isTooHeavy(_ used: ByteCount, before: ByteCount, budget: ByteCount) -> Bool {
        used > budget && (used > before || used.bytes == .max)
    }

    /// Kills for runs that made their folders too heavy, and warns those that fill the disk.
    private mutating func charge(_ worker: UInt32, _ used: ByteCount, at now: Moment, into actions: inout [Action]) {
        var isTooHeavy = false
        let isLow = disk.isLow
        forEachRun(of: worker) { engine, run in
            let slot = engine.runs[Int(run)]
            guard slot.isActive else { return }
            guard let before = slot.weightAtStart else {
                engine.runs[Int(run)].weightAtStart = used
                return
            }
            if Self.isTooHeavy(used, before: before, budget: slot.rules.disk) {
                engine.condemn(run, as: .exceededDisk, at: now)
                isTooHeavy = true
            } else if isLow, slot.phase == .running, used.bytes > before.bytes &+ DiskWatch.noise.bytes {
                engine.expire(run, because: .diskLow, at: now, into: &actions)
            }
        }
        if isTooHeavy { kill(worker, at: now, into: &actions) }
    }

    // MARK: At the end of a run

    /// Whether the run may have written more than it may: it had the time, or its folders held too much already.
    func isToBeWeighed(_ index: UInt32, at now: Moment) -> Bool {
        guard limits.diskFloor != nil, let started = runs[Int(index)].started else { return false }
        let rules = runs[Int(index)].rules
        let seconds = (now.instant - started.instant).seconds
        if seconds * Double(DiskWatch.fastestRate) > Double(rules.disk.bytes) { return true }
        return applications[Int(rules.application)].weight.map { $0 > rules.disk } ?? false
    }

    /// The run has completed with that outcome, which stands unless its folders hold too much.
    mutating func awaitWeight(
        of index: UInt32, as outcome: Outcome, at now: Moment, into actions: inout [Action]
    ) {
        let application = runs[Int(index)].rules.application
        runs[Int(index)].phase = .ending
        runs[Int(index)].outcome = outcome
        runs[Int(index)].awaitsWeight = true
        runDeadlines.set(index, to: now.instant + Self.weighingPatience)
        if applications[Int(application)].isBeingWeighed {
            applications[Int(application)].isWeighedAgain = true
        } else {
            weighFolders(application, into: &actions)
        }
    }

    /// Its folders were weighed, or cannot be.
    mutating func settle(_ index: UInt32, at now: Moment, into actions: inout [Action]) {
        guard let worker = runs[Int(index)].worker else { return }
        let slot = runs[Int(index)]
        let used = applications[Int(slot.rules.application)].weight ?? ByteCount(bytes: 0)
        let isTooHeavy =
            slot.weightAtStart.map { Self.isTooHeavy(used, before: $0, budget: slot.rules.disk) } ?? false
        runs[Int(index)].awaitsWeight = false
        end(index, as: isTooHeavy ? .exceededDisk : slot.outcome ?? .failed, at: now, into: &actions)
        leaveWorker(worker, at: now, into: &actions)
    }
}
