package import TaskModel

// Requests come and go.
extension Scheduler {
    /// Takes a request in, in place of the pending one of its identity.
    /// - Throws: the framework's code, checked in the order of its documentation: permission (3), availability (1),
    ///   pending requests (2), then what continued processing needs in order to begin. Decisions count even then.
    package mutating func submit(
        _ request: TaskRequest, of task: TaskIndex, at now: ClockReading
    ) throws(SubmissionFault) -> RequestHandle {
        observe(now)
        let old = pendingByIdentity[request.identity]
        try check(request, of: task, replacing: old)
        var request = dated(request, of: task, at: now)
        request.submitted = distinct(request.submitted, identity: request.identity)
        let index = old ?? makeSlot(request, of: task)
        if let old { replace(old, by: request, of: task) } else { enlist(index) }
        pace(index)
        decisions.append(.remember(requests.handle(index)))
        place(index)
        if request.kind == .continuedProcessing && request.terms.strategy == .fail {
            start(index)
        }
        // A request that waits for its date lets no other start.
        if requests[index].place == .ready || isStaggered { startReady() }
        return requests.handle(index)
    }

    /// Takes in a request that the store has kept. It waits for `begin`.
    package mutating func restore(_ request: TaskRequest, of task: TaskIndex) -> RequestHandle {
        let old = pendingByIdentity[request.identity]
        if let old {
            delist(old)
            fill(old, with: request, of: task)
        }
        let index = old ?? makeSlot(request, of: task)
        // The manifest may have made another kind of the task.
        requests[index].kind = tasks[task].rules.kind
        requests[index].failures = request.failures
        requests[index].deferrals = request.deferrals
        // It has started: as in the host before this one, its date does not count any more.
        if requests[index].attempt > 1 || request.deferrals > 0 { requests[index].flags.insert(.started) }
        if requests[index].kind == .continuedProcessing { requests[index].flags.insert(.foreground) }
        requests[index].notBefore = request.notBefore?.nanoseconds ?? RequestSlot.none
        enlist(index)
        if hasMoment {
            convertPause(index)
            let decided = decisions.count
            if hasBegun { place(index) }
            // Of what the record has already, there is nothing to do.
            decisions.removeLast(decisions.count - decided)
        }
        return requests.handle(index)
    }

    /// Everything is restored: requests find their places, schedules without a pending request submit theirs.
    package mutating func begin(at now: ClockReading) {
        guard !hasBegun else { return }
        setClock(now)
        hasBegun = true
        gateChanges &+= 1
        for application in applications.indices { settle(application) }
        // Those that are added on the way have their places.
        for index in requests.indices where requests.isTaken(index) && requests[index].phase == .pending {
            unplace(index)
            convertPause(index)
            place(index)
        }
        renewOccurrences(.start)
        renewEvents()
        for task in tasks.indices { submitOccurrence(of: task, after: now.time) }
        startReady()
    }

    /// Forgets the decisions to remember requests of schedules and of the host: a host that only answers leaves them to a daemon.
    package mutating func removeOwnSubmissions() {
        decisions.removeAll { decision in
            guard case .remember(let handle) = decision, let index = requests.index(handle) else { return false }
            return requests[index].origin == .schedule || requests[index].origin == .host
        }
    }

    /// Deletes the pending request of the identity. A run in progress continues. A time of its schedule stays: `skip` skips
    /// it.
    /// - Returns: whether there was one.
    package mutating func cancel(identity: Int64, at now: ClockReading) -> Bool {
        observe(now)
        guard let index = pendingByIdentity[identity], !isScheduledTime(requests[index]) else { return false }
        cancel(index, at: now)
        startReady()
        return true
    }

    /// Forgets every pending request of the application but those of its manifest's schedules and of its events.
    package mutating func cancelAll(
        application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        cancelPending(of: application) { $0.origin != .schedule && !$0.kind.isEvent }
        startReady()
    }

    /// Runs the pending request of the identity now, regardless of its date and the gates; if an earlier run of it is
    /// in progress, or one of the application's earlier revision, as soon as that has ended.
    /// - Returns: whether there was one whose task still exists.
    package mutating func simulateLaunch(
        identity: Int64, at now: ClockReading
    ) -> Bool {
        observe(now)
        guard hasBegun, !isStopped, let index = pendingByIdentity[identity],
            !tasks[requests[index].task].isRemoved
        else { return false }
        requests[index].flags.insert(.forced)
        if mayForce(index) { start(index) }
        return true
    }

    // MARK: Helpers

    /// Deletes a pending request; its schedule continues with its next time.
    mutating func cancel(_ index: RequestIndex, at now: ClockReading) {
        let slot = requests[index]
        delist(index)
        forget(index)
        if tasks[slot.task].rules.identity == slot.identity {
            submitOccurrence(of: slot.task, after: following(slot, at: now))
        }
    }

    mutating func cancelPending(
        of application: ApplicationIndex,
        where isMeant: (RequestSlot) -> Bool
    ) {
        forEachRequest(in: applications[application].pending) { scheduler, index in
            if isMeant(scheduler.requests[index]) { scheduler.cancel(index, at: scheduler.now) }
        }
    }

    /// Turns the end of a stored pause into one of the monotonic clock, no farther away than a pause may be.
    private mutating func convertPause(_ index: RequestIndex) {
        let notBefore = requests[index].notBefore
        guard notBefore != RequestSlot.none else { return }
        let longest =
            requests[index].deferrals > 0 ? max(Deferral.longest, limits.longestBackoff) : limits.longestBackoff
        let rest = min(Self.span(from: now.time.nanoseconds, to: notBefore), longest)
        requests[index].backoffEnd = (now.instant + rest).nanoseconds
    }
}
