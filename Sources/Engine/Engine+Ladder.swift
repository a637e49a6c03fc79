package import TaskModel

// The ladder of one run: started, warned, completed or killed.
extension Engine {
    mutating func start(_ run: RunIndex, on worker: WorkerIndex) {
        runs[run].phase = .running
        runs[run].started = now
        runs[run].figures.memoryAtStart = workers[worker].kept
        setBudget(of: run, on: worker)
        if workers[worker].read != now.instant {
            // CPU time since the last reading does not belong to this run. The host reads before it starts the run.
            workers[worker].read = now.instant
            workers[worker].awaitsReading = true
            actions.append(.effect(.meter(workers.handle(worker))))
        }
        runs[run].awaitsReading = workers[worker].awaitsReading
        chargeFromNow(run, in: worker)
        runDeadlines.set(run, to: nextLook(at: run))
        watchDisk(for: run)
        scheduleMeter(of: worker, within: meterSpan(of: run))
        actions.append(.effect(.start(workers.handle(worker), runs.handle(run))))
    }

    mutating func completed(
        _ worker: WorkerHandle, _ run: RunHandle, success: Bool, result: ResultValue?, automatic: Bool,
        program: ProgramEnd?
    ) {
        guard let (run, worker) = active(run, of: worker) else { return }
        runs[run].figures.result = result
        var hasCrashed = false
        switch program {
        case .exited(let status): runs[run].figures.exitStatus = status
        case .killed(let signal):
            runs[run].figures.signal = signal
            hasCrashed = true
        case nil: break
        }
        let outcome: Outcome
        if automatic {
            outcome = .failed
        } else if runs[run].phase == .running {
            outcome = hasCrashed ? .crashed : success ? .succeeded : .failed
        } else {
            outcome = runs[run].reason == .userCancelled ? .cancelled : .expired
        }
        complete(run, of: worker, as: outcome)
    }

    /// Its handler deferred it. Also after the warning: the rest of the work is to be done at the later time.
    mutating func deferred(
        _ worker: WorkerHandle, _ run: RunHandle, _ deferral: Deferral
    ) {
        guard let (run, worker) = active(run, of: worker) else { return }
        guard runs[run].reason != .userCancelled else {
            return complete(run, of: worker, as: .cancelled)
        }
        runs[run].deferral = deferral
        complete(run, of: worker, as: .deferred)
    }

    private mutating func complete(
        _ run: RunIndex, of worker: WorkerIndex, as outcome: Outcome
    ) {
        runs[run].completed = now.time
        if isToBeWeighed(run, at: now) { return awaitWeight(of: run, as: outcome) }
        end(run, as: outcome)
        leaveWorker(worker)
    }

    /// The run leaves its worker without completing.
    mutating func leave(
        _ worker: WorkerHandle, _ run: RunHandle, as outcome: Outcome
    ) {
        guard let (run, worker) = active(run, of: worker) else { return }
        end(run, as: outcome)
        leaveWorker(worker)
    }

    mutating func declined(_ worker: WorkerHandle, _ run: RunHandle, _ program: ProgramEnd?) {
        if case .exited(let status) = program, let (run, _) = active(run, of: worker) {
            runs[run].figures.exitStatus = status
        }
        leave(worker, run, as: .refused)
    }

    /// A run's deadline: the warning, or the end of its budget.
    mutating func runIsDue(_ run: RunIndex) {
        runDeadlines.remove(run)
        switch runs[run].phase {
        case .running:
            if now.instant >= runs[run].warning {
                expire(run, because: .budget)
            } else if now.instant >= nextLook(at: run) {
                expire(run, because: .noProgress)
            } else {
                runDeadlines.set(run, to: nextLook(at: run))
            }
        case .expiring:
            let outcome: Outcome =
                switch runs[run].reason {
                case .userCancelled: .cancelled
                case .hostStopping, .leaseLost: .interrupted
                case .superseded: .cancelled
                case nil, .budget, .powerLost, .networkLost, .userActive, .memoryPressure, .thermal,
                    .applicationTerminated, .simulated, .noProgress, .diskLow, .windowClosed:
                    .overran
                }
            kill(for: run, as: outcome)
        case .ending: if runs[run].awaitsWeight { settle(run) }
        case .pending, .launching, .ended: return
        }
    }

    /// The user or the host wants the run to end: it is warned if it runs, and ended if it has not begun.
    mutating func interrupt(
        _ handle: RunHandle, because reason: Reason
    ) {
        guard let run = runs.index(handle) else { return }
        // A callback in progress gets no warning: it has its time, regardless of conditions.
        if runs[run].isActive, runs[run].rules.callback != nil, !reason.isDecided { return }
        let worker = runs[run].worker
        // Its fate is sealed: it ends with the tree.
        if let worker, workers[worker].phase == .killing { return }
        switch runs[run].phase {
        case .pending:
            guard reason != .simulated else { return }
            dequeue(run)
            endUnstarted(run, because: reason)
        case .launching:
            guard reason != .simulated, let worker else { return }
            endUnstarted(run, because: reason)
            if workers[worker].runs.isEmpty && applications[workers[worker].application].isolatesRuns {
                kill(worker)
            }
            leaveWorker(worker)
        case .running: expire(run, because: reason)
        case .expiring:
            guard reason == .leaseLost else { return }
            runs[run].isFenced = true
            setDeadline(of: run, to: min(deadline(of: run), now.instant + Budget.longestLeaseGrace))
        case .ending, .ended: return
        }
    }

    mutating func endUnstarted(
        _ run: RunIndex, because reason: Reason
    ) {
        runs[run].reason = reason
        end(
            run, as: reason == .userCancelled || reason == .superseded ? .cancelled : .interrupted)
    }

    mutating func expire(
        _ run: RunIndex, because reason: Reason
    ) {
        guard let worker = runs[run].worker else { return }
        let own = runs[run].rules.grace
        let grace = reason == .leaseLost ? min(own, Budget.longestLeaseGrace) : own
        runs[run].phase = .expiring
        runs[run].reason = reason
        runs[run].isFenced = reason == .leaseLost
        runs[run].expired = now.time
        setDeadline(of: run, to: min(runs[run].budgetEnd, now.instant + grace))
        actions.append(.write(.markExpired(runs.handle(run))))
        actions.append(.urgent(.expire(workers.handle(worker), runs.handle(run), reason)))
        actions.append(.effect(.expired(workers.handle(worker), runs.handle(run), reason)))
    }

    /// Kills the whole worker for one run's sake; its siblings are interrupted.
    mutating func kill(for run: RunIndex, as outcome: Outcome) {
        guard let worker = runs[run].worker else { return }
        if let reason = terminationReason(of: outcome, runs[run].rules) {
            let callback = runs[run].rules.callback
            noteTermination(
                of: worker, because: reason, in: callback,
                took: callback.flatMap { _ in runs[run].started.map { now.instant - $0.instant } })
        }
        markForKill(run, as: outcome)
        if runs[run].isFenced { actions.append(.urgent(.kill(workers.handle(worker)))) }
        kill(worker)
    }

    /// The run's outcome is known; its figures follow when the tree has ended.
    mutating func markForKill(_ run: RunIndex, as outcome: Outcome) {
        // It has completed: its worker's fate no longer affects it.
        guard !runs[run].awaitsWeight else { return }
        runs[run].phase = .ending
        runs[run].outcome = outcome
        runs[run].killed = now.time
        runDeadlines.remove(run)
    }

    /// Gives the run its outcome and figures, and takes it from its worker.
    mutating func end(_ run: RunIndex, as outcome: Outcome) {
        runDeadlines.remove(run)
        runs[run].outcome = outcome
        runs[run].ended = now.time
        if let started = runs[run].started {
            let stood = runs[run].worker.flatMap { workers[$0].stillness }.map { now.instant - $0.since } ?? .zero
            runs[run].frozenTime = runs[run].frozenTime + stood
            runs[run].figures.wallTime = now.instant - started.instant - runs[run].frozenTime
            if let worker = runs[run].worker {
                runs[run].figures.cpuTime = workers[worker].cpu - runs[run].cpuAtStart
                runs[run].figures.peakMemory = workers[worker].peak
            }
        }
        let worker = runs[run].worker
        detach(run)
        if let worker {
            unboundMemory(of: worker, by: runs[run].rules.memory)
            returnBudgets(after: run, on: worker)
        }
        runs[run].phase = .ended
        actions.append(.write(.finish(runs.handle(run))))
        actions.append(.effect(.reply(runs.handle(run))))
    }

    /// Whether the run is in progress in this worker.
    package func isActive(_ run: RunHandle, of worker: WorkerHandle) -> Bool { active(run, of: worker) != nil }

    /// The slots of a run and of the worker, which may send frames about it.
    func active(_ run: RunHandle, of worker: WorkerHandle) -> (run: RunIndex, worker: WorkerIndex)? {
        guard let worker = workers.index(worker), let run = runs.index(run), runs[run].isActive,
            runs[run].worker == worker
        else { return nil }
        return (run, worker)
    }
}
