package import TaskModel

// The ladder of one run: started, warned, completed or killed (DESIGN §6).
extension Engine {
    mutating func start(_ index: UInt32, on worker: UInt32, at now: Moment, into actions: inout [Action]) {
        runs[Int(index)].phase = .running
        runs[Int(index)].started = now
        runs[Int(index)].memoryAtStart = workers[Int(worker)].kept
        setBudget(of: index, on: worker, at: now, into: &actions)
        if workers[Int(worker)].read != now.instant {
            // What the tree has used since the last reading is not this run's. The host reads before it starts the run.
            workers[Int(worker)].read = now.instant
            workers[Int(worker)].awaitsReading = true
            actions.append(.meter(handle(ofWorker: worker)))
        }
        runs[Int(index)].awaitsReading = workers[Int(worker)].awaitsReading
        chargeFromNow(index, in: worker, at: now)
        runDeadlines.set(index, to: nextLook(at: index))
        watchDisk(for: index, at: now)
        scheduleMeter(of: worker, within: meterSpan(of: index, at: now), at: now)
        actions.append(.start(handle(ofWorker: worker), handle(ofRun: index)))
    }

    mutating func completed(
        _ worker: WorkerHandle, _ run: RunHandle, success: Bool, result: ResultValue?, automatic: Bool, at now: Moment,
        into actions: inout [Action]
    ) {
        guard let index = active(run, of: worker) else { return }
        runs[Int(index)].result = result
        runs[Int(index)].completed = now.time
        let outcome: Outcome
        if automatic {
            outcome = .failed
        } else if runs[Int(index)].phase == .running {
            outcome = success ? .succeeded : .failed
        } else {
            outcome = runs[Int(index)].reason == .userCancelled ? .cancelled : .expired
        }
        if isToBeWeighed(index, at: now) { return awaitWeight(of: index, as: outcome, at: now, into: &actions) }
        end(index, as: outcome, at: now, into: &actions)
        leaveWorker(worker.index, at: now, into: &actions)
    }

    /// The run leaves its worker without having been completed.
    mutating func leave(
        _ worker: WorkerHandle, _ run: RunHandle, as outcome: Outcome, at now: Moment, into actions: inout [Action]
    ) {
        guard let index = active(run, of: worker) else { return }
        end(index, as: outcome, at: now, into: &actions)
        leaveWorker(worker.index, at: now, into: &actions)
    }

    /// A run's deadline: the warning, or the end of its budget.
    mutating func runIsDue(_ index: UInt32, at now: Moment, into actions: inout [Action]) {
        runDeadlines.remove(index)
        switch runs[Int(index)].phase {
        case .running:
            if now.instant >= runs[Int(index)].warning {
                expire(index, because: .budget, at: now, into: &actions)
            } else if now.instant >= nextLook(at: index) {
                expire(index, because: .noProgress, at: now, into: &actions)
            } else {
                runDeadlines.set(index, to: nextLook(at: index))
            }
        case .expiring:
            let outcome: Outcome =
                switch runs[Int(index)].reason {
                case .userCancelled: .cancelled
                case .hostStopping: .interrupted
                default: .overran
                }
            kill(for: index, as: outcome, at: now, into: &actions)
        case .ending: if runs[Int(index)].awaitsWeight { settle(index, at: now, into: &actions) }
        case .free, .pending, .launching, .ended: return
        }
    }

    /// A person or the host wants the run to end: warned if it runs, ended if it has not begun.
    mutating func interrupt(
        _ handle: RunHandle, because reason: Reason, at now: Moment, into actions: inout [Action]
    ) {
        guard let run = self.run(handle) else { return }
        // Its fate is sealed: it ends with the tree.
        if let worker = run.worker, workers[Int(worker)].phase == .killing { return }
        switch run.phase {
        case .pending:
            guard reason != .simulated else { return }
            dequeue(handle.index)
            endUnstarted(handle.index, because: reason, at: now, into: &actions)
        case .launching:
            guard reason != .simulated, let worker = run.worker else { return }
            endUnstarted(handle.index, because: reason, at: now, into: &actions)
            if workers[Int(worker)].runs == 0 && applications[Int(workers[Int(worker)].application)].isolatesRuns {
                kill(worker, at: now, into: &actions)
            }
            leaveWorker(worker, at: now, into: &actions)
        case .running: expire(handle.index, because: reason, at: now, into: &actions)
        case .expiring, .ending, .ended, .free: return
        }
    }

    mutating func endUnstarted(
        _ index: UInt32, because reason: Reason, at now: Moment, into actions: inout [Action]
    ) {
        runs[Int(index)].reason = reason
        end(index, as: reason == .userCancelled ? .cancelled : .interrupted, at: now, into: &actions)
    }

    mutating func expire(
        _ index: UInt32, because reason: Reason, at now: Moment, into actions: inout [Action]
    ) {
        guard let worker = runs[Int(index)].worker else { return }
        let grace = runs[Int(index)].rules.grace
        runs[Int(index)].phase = .expiring
        runs[Int(index)].reason = reason
        runs[Int(index)].expired = now.time
        runDeadlines.set(index, to: min(runs[Int(index)].budgetEnd, now.instant + grace))
        actions.append(.markExpired(handle(ofRun: index)))
        actions.append(.expire(handle(ofWorker: worker), handle(ofRun: index), reason))
    }

    /// Kills the whole worker for one run's sake; its siblings are interrupted.
    mutating func kill(for index: UInt32, as outcome: Outcome, at now: Moment, into actions: inout [Action]) {
        guard let worker = runs[Int(index)].worker else { return }
        condemn(index, as: outcome, at: now)
        kill(worker, at: now, into: &actions)
    }

    /// The run's outcome is known; its figures come when the tree is gone.
    mutating func condemn(_ index: UInt32, as outcome: Outcome, at now: Moment) {
        // It has completed: what becomes of its worker is no longer its concern.
        guard !runs[Int(index)].awaitsWeight else { return }
        runs[Int(index)].phase = .ending
        runs[Int(index)].outcome = outcome
        runs[Int(index)].killed = now.time
        runDeadlines.remove(index)
    }

    /// Gives the run its outcome and figures, and takes it from its worker.
    mutating func end(_ index: UInt32, as outcome: Outcome, at now: Moment, into actions: inout [Action]) {
        runDeadlines.remove(index)
        runs[Int(index)].outcome = outcome
        runs[Int(index)].ended = now.time
        if let started = runs[Int(index)].started {
            runs[Int(index)].wallTime = now.instant - started.instant
            if let worker = runs[Int(index)].worker {
                runs[Int(index)].cpuTime = workers[Int(worker)].cpu - runs[Int(index)].cpuAtStart
                runs[Int(index)].peakMemory = workers[Int(worker)].peak
            }
        }
        let worker = runs[Int(index)].worker
        detach(index)
        if let worker {
            unboundMemory(of: worker, by: runs[Int(index)].rules.memory, into: &actions)
            returnBudgets(after: index, on: worker, into: &actions)
        }
        runs[Int(index)].phase = .ended
        actions.append(.finish(handle(ofRun: index)))
        actions.append(.reply(handle(ofRun: index)))
    }

    /// Whether the run goes on in this worker.
    package func isActive(_ run: RunHandle, of worker: WorkerHandle) -> Bool { active(run, of: worker) != nil }

    /// The slot of a run that this worker may speak for.
    func active(_ run: RunHandle, of worker: WorkerHandle) -> UInt32? {
        guard isCurrent(worker), let slot = self.run(run), slot.isActive, slot.worker == worker.index else {
            return nil
        }
        return run.index
    }
}
