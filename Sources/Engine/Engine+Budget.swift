import TaskModel

// When a run is warned: by its budget, by the budget it shares, or by a lack of progress.
extension Engine {
    /// Gives a run that starts its budget: its own, or the rest of the one that its launch shares.
    mutating func setBudget(
        of run: RunIndex, on worker: WorkerIndex
    ) {
        (runs[run].warning, runs[run].budgetEnd) = ownTimes(of: run)
        runs[run].progressed = now.instant
        guard sharesDeadline(run) else { return }
        var shortened: [RunIndex] = []
        forEachSharing(as: run, on: worker) { engine, sibling in
            engine.shorten(run, as: sibling)
            if engine.shorten(sibling, as: run) { shortened.append(sibling) }
        }
        // Runs that start in the same turn get the new deadline with their start.
        for sibling in shortened {
            followBudget(sibling)
            guard runs[sibling].started?.instant != now.instant else { continue }
            actions.append(.effect(.setDeadline(workers.handle(worker), runs.handle(sibling))))
        }
    }

    /// A run has left its worker: those that had its deadline have their own again, or that of the next sibling. One that was
    /// warned keeps to its warning.
    mutating func returnBudgets(after run: RunIndex, on worker: WorkerIndex) {
        guard sharesDeadline(run), workers[worker].phase != .killing else { return }
        let left = runs[run].id
        var released: [RunIndex] = []
        forEachSharing(as: run, on: worker) { engine, sibling in
            guard engine.runs[sibling].phase == .running, engine.runs[sibling].sharedWith?.id == left else { return }
            released.append(sibling)
        }
        for run in released {
            (runs[run].warning, runs[run].budgetEnd) = ownTimes(of: run)
            forEachSharing(as: run, on: worker) { engine, sibling in engine.shorten(run, as: sibling) }
            followBudget(run)
            actions.append(.effect(.setDeadline(workers.handle(worker), runs.handle(run))))
        }
    }

    /// When the run is to be warned and killed by its own rules.
    private func ownTimes(of run: RunIndex) -> (warning: Instant, end: Instant) {
        let rules = runs[run].rules
        guard rules.wallClock.nanoseconds < .max, let started = runs[run].started else {
            return (.distantFuture, .distantFuture)
        }
        let begin = started.instant + runs[run].frozenTime
        return (begin + (rules.wallClock - rules.grace), begin + rules.wallClock)
    }

    private func sharesDeadline(_ run: RunIndex) -> Bool {
        runs[run].launch != 0 && runs[run].rules.sharesDeadline
    }

    /// The other runs of its launch that are in progress and share their deadlines.
    private mutating func forEachSharing(
        as run: RunIndex, on worker: WorkerIndex, _ body: (inout Engine, RunIndex) -> Void
    ) {
        let launch = runs[run].launch
        forEachRun(of: worker) { engine, sibling in
            guard sibling != run, engine.runs[sibling].launch == launch, engine.sharesDeadline(sibling),
                engine.runs[sibling].isActive
            else { return }
            body(&engine, sibling)
        }
    }

    private mutating func followBudget(_ run: RunIndex) {
        if runs[run].phase == .running {
            setDeadline(of: run, to: nextLook(at: run))
        } else {
            setDeadline(of: run, to: min(deadline(of: run), runs[run].budgetEnd))
        }
    }

    /// The earliest end applies to the whole launch, with the warning that precedes it: the run's own grace may be longer
    /// than the remaining time.
    @discardableResult
    private mutating func shorten(_ run: RunIndex, as other: RunIndex) -> Bool {
        let times = ownTimes(of: other)
        guard times.end < runs[run].budgetEnd else { return false }
        runs[run].budgetEnd = times.end
        runs[run].warning = min(runs[run].warning, times.warning)
        runs[run].sharedWith = SharedDeadline(id: runs[other].id, task: runs[other].task)
        return true
    }

    /// When a run in progress is due: at its warning, or when it has made no progress for too long.
    @inline(__always) func nextLook(at run: RunIndex) -> Instant {
        guard let stall = runs[run].rules.stall else { return runs[run].warning }
        return min(runs[run].warning, runs[run].progressed + stall)
    }

    /// Progress counts when it changes; the same figure again is none. In a tree that is being killed it is too late.
    mutating func progressed(_ worker: WorkerHandle, _ run: RunHandle, completed: Int64) {
        guard let (run, worker) = active(run, of: worker), runs[run].phase == .running,
            workers[worker].phase == .ready, runs[run].rules.stall != nil, completed != runs[run].progress
        else { return }
        runs[run].progress = completed
        runs[run].progressed = now.instant
        setDeadline(of: run, to: nextLook(at: run))
    }
}
