import TaskModel

// Frozen trees: those of suspended applications, and all of them while the machine sleeps.
extension Engine {
    /// Whether the worker is suspended rather than ended when it has nothing to do.
    func isSuspendable(_ worker: WorkerIndex) -> Bool {
        let application = applications[workers[worker].application]
        return application.hasLifecycle && !application.isolatesRuns
    }

    /// Whether any application is suspended.
    package var hasSuspended: Bool { suspended.count > 0 }

    /// It has been idle for long enough, and was sent to the background.
    mutating func suspend(_ worker: WorkerIndex) {
        guard !isMemoryShort else { return endSuspended(worker, because: .memoryPressure) }
        idle.remove(worker)
        // Processes that it has left behind would be frozen with it.
        actions.append(.effect(.sweep(workers.handle(worker))))
        freeze(worker, isForSleep: false)
        suspended.set(worker, to: nextIdle)
        nextIdle += 1
        if suspended.count > limits.profile.suspendedApplications, let oldest = suspended.first {
            endSuspended(oldest, because: .suspendedLimit)
        }
    }

    /// Its callback has returned: if it has been idle for long enough, nothing else keeps it.
    mutating func suspendIfIdle(_ worker: WorkerIndex) {
        guard idle[worker] != nil, isSuspendable(worker), workers[worker].stillness == nil,
            workerDeadlines[worker] == .distantFuture
        else { return }
        suspend(worker)
    }

    /// Ends a suspended application, without a callback.
    mutating func endSuspended(
        _ worker: WorkerIndex, because reason: TerminationReason
    ) {
        noteTermination(of: worker, because: reason)
        kill(worker)
    }

    /// Memory is short: suspended applications end first.
    mutating func memoryPressure(_ isShort: Bool) {
        isMemoryShort = isShort
        guard isShort else { return }
        endSpares()
        while let worker = suspended.first {
            endSuspended(worker, because: .memoryPressure)
        }
    }

    // MARK: Standing still

    /// Its tree is frozen from now on. Its deadlines wait.
    mutating func freeze(_ worker: WorkerIndex, isForSleep: Bool) {
        workers[worker].stillness = WorkerSlot.Stillness(
            since: now.instant, isForSleep: isForSleep, deadline: workerDeadlines[worker], watchdog: watchdogs[worker],
            sessions: sessionDeadlines[worker])
        workerDeadlines.remove(worker)
        watchdogs.remove(worker)
        sessionDeadlines.remove(worker)
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].isActive else { return }
            engine.runs[run].heldDeadline = engine.runDeadlines[run]
            engine.runDeadlines.remove(run)
            engine.actions.append(.write(.pause(engine.runs.handle(run))))
        }
        actions.append(.effect(.freeze(workers.handle(worker))))
        noteState(of: workers[worker].application)
    }

    /// Its tree continues, with as much time left as before.
    mutating func thaw(_ worker: WorkerIndex) {
        guard let stillness = workers[worker].stillness else { return }
        let (handle, span) = (workers.handle(worker), now.instant - stillness.since)
        forgetStillness(of: worker)
        actions.append(.effect(.thaw(handle)))
        if stillness.sessions < .distantFuture { sessionDeadlines.set(worker, to: stillness.sessions + span) }
        if stillness.watchdog < .distantFuture { watchdogs.set(worker, to: stillness.watchdog + span) }
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].isActive else { return }
            let held = engine.runs[run].heldDeadline
            if held < .distantFuture { engine.runDeadlines.set(run, to: held + span) }
            engine.actions.append(.write(.resume(engine.runs.handle(run))))
            if engine.runs[run].budgetEnd < .distantFuture {
                engine.actions.append(.effect(.setDeadline(handle, engine.runs.handle(run))))
            }
        }
        if workers[worker].runs.isEmpty {
            // Its last actions before it was frozen may have changed what it rests for.
            if stillness.isForSleep { becomeIdle(worker) }
        } else if stillness.deadline < .distantFuture {
            workerDeadlines.set(worker, to: stillness.deadline + span)
        }
        noteState(of: workers[worker].application)
    }

    /// The time for which its tree was frozen does not count.
    mutating func forgetStillness(of worker: WorkerIndex) {
        guard let stillness = workers[worker].stillness else { return }
        workers[worker].stillness = nil
        suspended.remove(worker)
        let span = now.instant - stillness.since
        if let since = workers[worker].backgroundSince { workers[worker].backgroundSince = since + span }
        if let end = workers[worker].assertionEnd { workers[worker].assertionEnd = end + span }
        if let since = workers[worker].pendingBackground?.since {
            workers[worker].pendingBackground?.since = since + span
        }
        workers[worker].sessionsSince = workers[worker].sessionsSince + span
        workers[worker].idleSince = workers[worker].idleSince + span
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].started != nil, engine.runs[run].phase != .ended else { return }
            engine.runs[run].frozenTime = engine.runs[run].frozenTime + span
            engine.runs[run].progressed = engine.runs[run].progressed + span
            engine.runs[run].windowStart = engine.runs[run].windowStart + span
            guard engine.runs[run].budgetEnd < .distantFuture else { return }
            engine.runs[run].warning = engine.runs[run].warning + span
            engine.runs[run].budgetEnd = engine.runs[run].budgetEnd + span
        }
    }

    /// Its tree is frozen now. An application that holds a lock on a shared file ends.
    mutating func frozen(_ worker: WorkerHandle, holdsLock: Bool) {
        guard holdsLock, let worker = workers.index(worker), workers[worker].stillness?.isForSleep == false else {
            return
        }
        endSuspended(worker, because: .suspendedWithLockedFile)
    }

    /// The run's deadline, also while its tree is frozen.
    func deadline(of run: RunIndex) -> Instant { standsStill(run) ? runs[run].heldDeadline : runDeadlines[run] }

    mutating func setDeadline(of run: RunIndex, to time: Instant) {
        if standsStill(run) { runs[run].heldDeadline = time } else { runDeadlines.set(run, to: time) }
    }

    private func standsStill(_ run: RunIndex) -> Bool {
        runs[run].worker.map { workers[$0].stillness != nil } ?? false
    }
}
