import TaskModel

// When a run is warned: by its budget, by the budget it shares, or for want of progress.
extension Engine {
    /// Gives a run that starts its budget: its own, or what is left of the one that its launch shares.
    mutating func setBudget(of index: UInt32, on worker: UInt32, at now: Moment, into actions: inout [Action]) {
        (runs[Int(index)].warning, runs[Int(index)].budgetEnd) = ownTimes(of: index)
        runs[Int(index)].progressed = now.instant
        guard sharesDeadline(index) else { return }
        var shortened: [UInt32] = []
        forEachSharing(as: index, on: worker) { engine, sibling in
            engine.shorten(index, as: sibling)
            if engine.shorten(sibling, as: index) { shortened.append(sibling) }
        }
        // Those that start in the same turn are told with their start.
        for sibling in shortened {
            followBudget(sibling)
            guard runs[Int(sibling)].started?.instant != now.instant else { continue }
            actions.append(.setDeadline(handle(ofWorker: worker), handle(ofRun: sibling)))
        }
    }

    /// A run has left its worker: those that had its deadline have their own again, or that of the next sibling. One that was
    /// warned keeps to its warning.
    mutating func returnBudgets(after index: UInt32, on worker: UInt32, into actions: inout [Action]) {
        guard sharesDeadline(index), workers[Int(worker)].phase != .killing else { return }
        let left = runs[Int(index)].id
        var released: [UInt32] = []
        forEachSharing(as: index, on: worker) { engine, run in
            guard engine.runs[Int(run)].phase == .running, engine.runs[Int(run)].sharedWith?.id == left else { return }
            released.append(run)
        }
        for run in released {
            (runs[Int(run)].warning, runs[Int(run)].budgetEnd) = ownTimes(of: run)
            forEachSharing(as: run, on: worker) { engine, sibling in engine.shorten(run, as: sibling) }
            followBudget(run)
            actions.append(.setDeadline(handle(ofWorker: worker), handle(ofRun: run)))
        }
    }

    /// When the run is to be warned and killed by its own rules.
    private func ownTimes(of index: UInt32) -> (warning: Instant, end: Instant) {
        let rules = runs[Int(index)].rules
        guard rules.wallClock.nanoseconds < .max, let started = runs[Int(index)].started else {
            return (.distantFuture, .distantFuture)
        }
        return (started.instant + (rules.wallClock - rules.grace), started.instant + rules.wallClock)
    }

    private func sharesDeadline(_ index: UInt32) -> Bool {
        runs[Int(index)].launch != 0 && runs[Int(index)].rules.sharesDeadline
    }

    /// The other runs of its launch that go on and share their deadlines.
    private mutating func forEachSharing(
        as index: UInt32, on worker: UInt32, _ body: (inout Engine, UInt32) -> Void
    ) {
        let launch = runs[Int(index)].launch
        forEachRun(of: worker) { engine, sibling in
            guard sibling != index, engine.runs[Int(sibling)].launch == launch, engine.sharesDeadline(sibling),
                engine.runs[Int(sibling)].isActive
            else { return }
            body(&engine, sibling)
        }
    }

    private mutating func followBudget(_ index: UInt32) {
        if runs[Int(index)].phase == .running {
            runDeadlines.set(index, to: nextLook(at: index))
        } else {
            runDeadlines.set(index, to: min(runDeadlines[index], runs[Int(index)].budgetEnd))
        }
    }

    /// The earliest end is the launch's, with the warning that comes before it: the run's own grace may be longer than all of
    /// the time that is left.
    @discardableResult
    private mutating func shorten(_ index: UInt32, as other: UInt32) -> Bool {
        let times = ownTimes(of: other)
        guard times.end < runs[Int(index)].budgetEnd else { return false }
        runs[Int(index)].budgetEnd = times.end
        runs[Int(index)].warning = min(runs[Int(index)].warning, times.warning)
        runs[Int(index)].sharedWith = SharedDeadline(id: runs[Int(other)].id, task: runs[Int(other)].task)
        return true
    }

    /// When a run that goes on is to be looked at: its warning, or the end of the patience with its progress.
    func nextLook(at index: UInt32) -> Instant {
        guard let stall = runs[Int(index)].rules.stall else { return runs[Int(index)].warning }
        return min(runs[Int(index)].warning, runs[Int(index)].progressed + stall)
    }

    /// Progress counts when it changes; the same figure again is none. In a tree that is being killed it is too late.
    mutating func progressed(_ worker: WorkerHandle, _ run: RunHandle, completed: Int64, at now: Moment) {
        guard let index = active(run, of: worker), runs[Int(index)].phase == .running,
            workers[Int(worker.index)].phase == .ready,
            runs[Int(index)].rules.stall != nil, completed != runs[Int(index)].progress
        else { return }
        runs[Int(index)].progress = completed
        runs[Int(index)].progressed = now.instant
        runDeadlines.set(index, to: nextLook(at: index))
    }
}
