package import TaskModel

// Ends of runs: what happens to their requests.
extension Scheduler {
    /// The run of a request has ended.
    ///
    /// - Returns: whether the request will be tried again, or a newer one of its identity in its place.
    @discardableResult
    package mutating func ended(
        _ request: RequestHandle, _ end: RequestEnd, at now: ClockReading
    ) -> Bool {
        observe(now)
        guard let index = requests.index(request), requests[index].phase == .running else { return false }
        let slot = requests[index]
        let application = tasks[slot.task].rules.application
        noteEnded(index, slot.identity)
        requests.remove(index, from: &running)
        if tasks[slot.task].rules.identity == slot.identity {
            tasks[slot.task].paceEnd = (now.instant + limits.pace).nanoseconds
        }
        occupied.add(-1, slot.kind)
        queues.addRunning(-1, of: application, requests)
        account(
            application, cpuTime: end.cpuTime ?? .zero, health: end.health)
        noteAnswer(to: slot, end.outcome)

        let sequel = sequel(of: slot, end)
        if slot.flags.contains(.overtaken) {
            // The later run of its identity takes its place, as a request does that waits.
            forget(index)
        } else {
            carryOut(sequel, index, slot)
        }
        resume(after: index, slot, at: now)
        if tasks[slot.task].rules.identity == slot.identity {
            submitOccurrence(of: slot.task, after: following(slot, at: now))
        }
        if end.outcome == .succeeded { submitFollowers(of: slot.task) }
        startReady()
        if case .again(_, isFailure: true) = sequel, slot.flags.contains(.overtaken) { return false }
        return sequel != .forget
    }

    private mutating func carryOut(_ sequel: Sequel, _ index: RequestIndex, _ slot: RequestSlot) {
        if case .wait(_, let shortage) = sequel {
            shortages[index]?.add(shortage, at: now.instant)
            if shortages[index] == nil { shortages[index] = ShortageTally(shortage, at: now.instant) }
        } else if !shortages.isEmpty {
            shortages[index] = nil
        }
        switch sequel {
        case .forget: forget(index)
        case .again(let attempt, let isFailure):
            requests[index].deferrals = 0
            retry(index, attempt: attempt, isFailure: isFailure)
        case .later(let deferral):
            if requests[index].deferrals < .max { requests[index].deferrals += 1 }
            retry(index, attempt: slot.attempt, isFailure: false, after: deferral.pause)
        case .wait(let attempt, _):
            requests[index].deferrals = 0
            retry(index, attempt: attempt, isFailure: false)
            // It, or the newer one of its identity.
            if let heir = pendingByIdentity[slot.identity], shortages[heir]?.returns == ShortageTally.mostReturns {
                decisions.append(.starved(requests.handle(heir)))
            }
        }
    }

    private func sequel(of slot: RequestSlot, _ end: RequestEnd) -> Sequel {
        if slot.flags.contains(.doomed) { return .forget }
        return Sequel(
            after: end, attempt: slot.attempt, failures: slot.failures, attempts: tasks[slot.task].rules.attempts)
    }

    /// Makes the request pending again, unless its identity has a newer one. A schedule's next time is newer only if it
    /// comes first.
    private mutating func retry(
        _ index: RequestIndex, attempt: UInt32, isFailure: Bool, after wish: TimeSpan? = nil
    ) {
        var slot = requests[index]
        // The manifest may have made another kind of the task while it ran.
        slot.kind = tasks[slot.task].rules.kind
        slot.attempt = attempt
        slot.failures += isFailure ? 1 : 0
        // The user ran it early: that time is still to come, and this run does not count as a try.
        if slot.flags.contains(.forced), slot.scheduledFor > now.time.nanoseconds {
            slot.scheduledFor = RequestSlot.none
        }
        slot.flags.subtract([.forced, .expired])
        slot.flags.insert(.started)
        if slot.kind == .continuedProcessing { slot.flags.insert(.foreground) }
        slot.since = now.time.nanoseconds
        slot.notBefore = RequestSlot.none
        slot.backoffEnd = 0
        if isFailure || wish != nil || shortages[index] != nil {
            let pause = shortages[index]?.pause ?? wish.map { max($0, leastDeferral(of: slot)) } ?? backoff(of: slot)
            slot.backoffEnd = (now.instant + pause).nanoseconds
            let (end, overflow) = now.time.nanoseconds.addingReportingOverflow(pause.nanoseconds)
            slot.notBefore = overflow ? .max : end
        }
        if let other = pendingByIdentity[slot.identity] {
            let pending = requests[other]
            guard
                Sequel.givesWay(
                    origin: pending.origin, scheduledFor: pending.scheduledFor,
                    isForced: pending.flags.contains(.forced), returning: max(now.time.nanoseconds, slot.notBefore))
            else {
                if !shortages.isEmpty { handOn(slot, from: index, to: other) }
                return forget(index)
            }
            delist(other)
            forget(other)
        }
        requests[index] = slot
        enlist(index)
        decisions.append(.remember(requests.handle(index)))
        place(index)
    }

    /// The request that is tried instead lacks the same.
    private mutating func handOn(
        _ slot: RequestSlot, from index: RequestIndex, to other: RequestIndex
    ) {
        guard let tally = shortages[index] else { return }
        shortages[other] = tally
        guard !requests[other].flags.contains(.forced) else { return }
        unplace(other)
        requests[other].backoffEnd = max(requests[other].backoffEnd, slot.backoffEnd)
        requests[other].notBefore = max(requests[other].notBefore, slot.notBefore)
        place(other)
    }

    /// The pause before the next try: it doubles with every failure.
    private func backoff(of slot: RequestSlot) -> TimeSpan {
        backoff(of: slot.task, failures: slot.failures) + jitter(of: slot)
    }

    /// The same for a request and a failure in every play; requests of one moment on several machines differ in their time.
    private func jitter(of slot: RequestSlot) -> TimeSpan {
        let most = UInt64(tasks[slot.task].rules.retryJitter)
        guard most > 0 else { return .zero }
        // The finalizer of SplitMix64 spreads numbers that are close to each other.
        var hash = UInt64(bitPattern: slot.submitted) &+ UInt64(bitPattern: slot.identity) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash &+ UInt64(slot.failures) ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return .milliseconds(Int64((most + 1).multipliedFullWidth(by: hash ^ hash >> 31).high))
    }

    /// A handler that defers again and again waits as after a failure; it uses up no try.
    private func leastDeferral(of slot: RequestSlot) -> TimeSpan {
        guard slot.deferrals >= Deferral.mostInRow else { return .zero }
        return backoff(of: slot.task, failures: UInt32(slot.deferrals - Deferral.mostInRow) + 1)
    }

    private func backoff(of task: TaskIndex, failures: UInt32) -> TimeSpan {
        let first = max(0, tasks[task].rules.backoff.nanoseconds)
        let doublings = min(max(1, failures) - 1, 62)
        let (pause, overflow) = first.multipliedReportingOverflow(by: 1 << Int64(doublings))
        return min(overflow ? limits.longestBackoff : TimeSpan(nanoseconds: pause), limits.longestBackoff)
    }

    /// The identity is free again, or has room: its pending request need not wait for it any more.
    private mutating func resume(
        after old: RequestIndex, _ ended: RequestSlot, at now: ClockReading
    ) {
        guard let index = pendingByIdentity[ended.identity], index != old, requests[index].place == .parked else {
            return
        }
        let slot = requests[index]
        if earlierRun(holding: slot) == nil {
            noteHold(
                .overlap, index.number, of: tasks[slot.task].rules.application, from: max(slot.since, ended.since),
                to: now.time.nanoseconds)
        }
        if slot.flags.contains(.forced) && mayForce(index) {
            start(index)
        } else if isLeftOut(slot, at: now) {
            delist(index)
            forget(index)
        } else {
            if pace(index) { decisions.append(.remember(requests.handle(index))) }
            place(index)
        }
    }

    /// Its time came while the run was in progress, and its schedule leaves such times out: the caller submits the next one.
    private func isLeftOut(_ slot: RequestSlot, at now: ClockReading) -> Bool {
        guard isScheduledTime(slot), slot.scheduledFor <= now.time.nanoseconds,
            let schedule = tasks[slot.task].rules.schedule
        else { return false }
        return schedules[schedule].overlap == .skip
    }

    /// A request of the application waits until the pace after its identifier's last run is over; while one is in progress, at
    /// least for the whole pace. Decided with the submission, and again when that run has ended, so that it is recorded: a host that
    /// restarts keeps the pace of the one before it.
    /// - Returns: whether it waits longer than before.
    @discardableResult
    mutating func pace(_ index: RequestIndex) -> Bool {
        let slot = requests[index]
        guard slot.origin == .application, slot.kind != .continuedProcessing else { return false }
        let last = tasks[slot.task].rules.identity == slot.identity ? tasks[slot.task].paceEnd : 0
        let isRunning = runningByIdentity[slot.identity] != nil
        let end = isRunning ? now.instant + limits.pace : Instant(nanoseconds: last)
        let rest = end - now.instant
        guard rest > .zero, slot.backoffEnd < end.nanoseconds else { return false }
        let (sum, overflow) = now.time.nanoseconds.addingReportingOverflow(rest.nanoseconds)
        let date = overflow ? Int64.max : sum
        // Its own date is late enough.
        guard slot.date < date else { return false }
        requests[index].backoffEnd = end.nanoseconds
        requests[index].notBefore = date
        return true
    }
}
