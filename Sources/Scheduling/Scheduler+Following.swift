package import TaskModel

// Tasks that run after others.
extension Scheduler {
    /// Names the tasks that run when a run of the task has succeeded.
    package mutating func setFollowers(_ tasks: [TaskIndex], of task: TaskIndex) {
        if followers[task] != nil || !tasks.isEmpty { followers[task] = tasks.isEmpty ? nil : tasks }
    }

    /// A run without a request has succeeded.
    package mutating func succeeded(_ task: TaskIndex, at now: ClockReading) {
        guard followers[task] != nil else { return }
        observe(now)
        submitFollowers(of: task)
        startReady()
    }

    /// Submits a request for each follower, unless it has one that is not a time of its schedule yet to come: several
    /// successes before it starts are one run.
    mutating func submitFollowers(of task: TaskIndex) {
        guard !followers.isEmpty, let list = followers[task] else { return }
        for follower in list where !tasks[follower].isRemoved && !tasks[follower].rules.lacksMode {
            let rules = tasks[follower].rules
            var terms = RequestTerms()
            terms.origin = .task
            let request = TaskRequest(
                identity: rules.identity, kind: rules.kind, terms: terms,
                submitted: distinct(now.time, identity: rules.identity))
            let index: RequestIndex
            if let old = pendingByIdentity[rules.identity] {
                guard isScheduledTime(requests[old]), requests[old].scheduledFor > now.time.nanoseconds else {
                    continue
                }
                replace(old, by: request, of: follower)
                index = old
            } else {
                index = makeSlot(request, of: follower)
                enlist(index)
            }
            decisions.append(.remember(requests.handle(index)))
            place(index)
        }
    }
}
