import TaskModel

// When a run is warned: by its budget, by the budget it shares, or for want of progress.
extension Engine {
    /// Gives a run that starts its budget. Runs of one launch share the earliest end.
    mutating func setBudget(of index: UInt32, on worker: UInt32, at now: Moment) {
        let rules = runs[Int(index)].rules
        runs[Int(index)].budgetEnd =
            rules.wallClock.nanoseconds == .max ? .distantFuture : now.instant + rules.wallClock
        runs[Int(index)].warning =
            rules.wallClock.nanoseconds == .max
            ? .distantFuture : now.instant + (rules.wallClock - rules.grace)
        runs[Int(index)].progressed = now.instant
        let launch = runs[Int(index)].launch
        guard launch != 0 else { return }
        var candidate = workers[Int(worker)].first
        while let sibling = candidate {
            candidate = runs[Int(sibling)].next
            guard sibling != index, runs[Int(sibling)].launch == launch, runs[Int(sibling)].isActive else { continue }
            shareBudget(between: index, and: sibling)
        }
    }

    private mutating func shareBudget(between starting: UInt32, and sibling: UInt32) {
        shorten(starting, as: sibling)
        guard runs[Int(starting)].budgetEnd < runs[Int(sibling)].budgetEnd else { return }
        shorten(sibling, as: starting)
        if runs[Int(sibling)].phase == .running {
            runDeadlines.set(sibling, to: nextLook(at: sibling))
        } else {
            runDeadlines.set(sibling, to: min(runDeadlines[sibling], runs[Int(sibling)].budgetEnd))
        }
    }

    /// The earliest end is the launch's, with the warning that comes before it: the run's own grace may be longer than all of
    /// the time that is left.
    private mutating func shorten(_ index: UInt32, as other: UInt32) {
        guard runs[Int(other)].budgetEnd < runs[Int(index)].budgetEnd else { return }
        runs[Int(index)].budgetEnd = runs[Int(other)].budgetEnd
        runs[Int(index)].warning = min(runs[Int(index)].warning, runs[Int(other)].warning)
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
