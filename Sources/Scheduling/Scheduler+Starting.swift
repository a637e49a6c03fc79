import TaskModel

// Requests whose gates are all open start, in fair order.
extension Scheduler {
    /// Starts what may start: continued processing first, because the user waits for it, then at most `startsPerTurn`
    /// others.
    mutating func startReady() {
        isStaggered = false
        guard hasBegun, !isStopped, startsByItself, hostPause == nil else { return }
        while true {
            let free = occupied.free(limits)
            var next = queues.first(in: free.intersection(.continued), classes.passing)
            if next == nil {
                next = queues.first(in: free, classes.passing)
                if next != nil && startsInTurn >= max(1, limits.startsPerTurn) {
                    isStaggered = true
                    return
                }
            }
            guard let next else { return }
            let index = next.request
            // The clock went back behind its date while it waited here.
            if requests[index].date > now.time.nanoseconds {
                unplace(index)
                place(index)
                continue
            }
            queues.take(next)
            start(index)
        }
    }

    /// Starts a pending request.
    mutating func start(_ index: RequestIndex) {
        delist(index)
        let slot = requests[index]
        let application = tasks[slot.task].rules.application
        requests[index].phase = .running
        requests[index].waitedFrom = slot.since
        requests[index].since = now.time.nanoseconds
        noteRunning(index, slot.identity)
        requests.append(index, to: &running)
        occupied.add(1, slot.kind)
        queues.addRunning(1, of: application, requests)
        noteDelivery(of: slot)
        decisions.append(.start(requests.handle(index), launch: launch(of: slot, application)))
        if slot.kind != .continuedProcessing && !slot.flags.contains(.forced) { startsInTurn += 1 }
        guard tasks[slot.task].rules.identity == slot.identity else { return }
        submitOccurrence(of: slot.task, after: following(slot, at: now))
    }

    /// Runs of an application that start in one turn share one launch. Continued processing has no deadline to share
    /// (0), and a run that the user forces shares none.
    private mutating func launch(of slot: RequestSlot, _ application: ApplicationIndex) -> UInt32 {
        guard slot.kind != .continuedProcessing else { return 0 }
        let isForced = slot.flags.contains(.forced)
        if !isForced && applications[application].launchTurn == turn
            && applications[application].launch != 0
        {
            return applications[application].launch
        }
        let launch = nextLaunch
        nextLaunch = nextLaunch == .max ? 1 : nextLaunch + 1
        if !isForced {
            applications[application].launch = launch
            applications[application].launchTurn = turn
        }
        return launch
    }
}
