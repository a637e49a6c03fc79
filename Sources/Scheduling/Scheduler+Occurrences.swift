package import TaskModel

// Requests that schedules submit.
extension Scheduler {
    /// A clock that is set back by less repeats the same hours, as at the end of summer time or with a small correction:
    /// tasks that ran at a time of day do not run again, and paces continue. A larger step corrects a wrong clock. cron(8)
    /// has the same limit.
    static let smallStep = TimeSpan.seconds(3 * 3600)
    /// A smaller change is not a step.
    static let leastStep = TimeSpan.seconds(1)

    /// Submits the schedule's next request, unless the task has no schedule or its identity a pending request. Fetches have
    /// their interval for a schedule.
    mutating func submitOccurrence(
        of task: TaskIndex, after time: Timestamp
    ) {
        let slot = tasks[task]
        guard slot.rules.kind != .backgroundFetch else { return submitFetch(of: task) }
        guard let schedule = slot.rules.schedule, !slot.isRemoved, !slot.rules.isWildcard, hasBegun,
            pendingByIdentity[slot.rules.identity] == nil,
            let next = schedules[schedule].next(after: time)
        else { return }
        var terms = RequestTerms()
        terms.origin = .schedule
        var request = TaskRequest(
            identity: slot.rules.identity, kind: slot.rules.kind, terms: terms,
            submitted: distinct(now.time, identity: slot.rules.identity))
        request.scheduledFor = next
        let index = makeSlot(request, of: task)
        enlist(index)
        decisions.append(.remember(requests.handle(index)))
        place(index)
    }

    /// The time after which the next occurrence is searched. One that the user ran early is still due.
    func following(_ slot: RequestSlot, at now: ClockReading) -> Timestamp {
        guard slot.scheduledFor > now.time.nanoseconds, !slot.flags.contains(.forced),
            Self.span(from: now.time.nanoseconds, to: slot.scheduledFor) < Self.smallStep
        else { return rejoining(slot, at: now) }
        let time = Timestamp(nanoseconds: slot.scheduledFor)
        guard let schedule = tasks[slot.task].rules.schedule, schedules[schedule].isPace else { return time }
        // The clock was set back after it began.
        return min(time, schedules[schedule].halfway(from: now.time))
    }

    /// After a time that was moved the schedule's own count again, no nearer to it than half of the distance.
    private func rejoining(_ slot: RequestSlot, at now: ClockReading) -> Timestamp {
        guard slot.flags.contains(.moved), let schedule = tasks[slot.task].rules.schedule,
            let time = RequestSlot.time(slot.scheduledFor),
            // The user ran it early: the next one is due as if this run had not happened.
            time <= now.time || !slot.flags.contains(.forced),
            // A time further ahead was set by a wrong clock.
            Self.span(from: now.time.nanoseconds, to: slot.scheduledFor) < Self.smallStep
        else { return now.time }
        return max(now.time, schedules[schedule].halfway(from: time))
    }

    /// Skips the time of its schedule that the identity's pending request waits for, or is delayed at.
    /// - Returns: that time; nil: no time of a schedule is pending.
    package mutating func skip(identity: Int64, at now: ClockReading) -> Timestamp? {
        observe(now)
        guard let index = pendingByIdentity[identity], isScheduledTime(requests[index]) else { return nil }
        let slot = requests[index]
        delist(index)
        forget(index)
        let time = Timestamp(nanoseconds: slot.scheduledFor)
        submitOccurrence(of: slot.task, after: max(now.time, time))
        startReady()
        return time
    }

    /// Whether the pending request of the identity is a time of its schedule, and no further try of one that has begun.
    package func isScheduledTime(identity: Int64) -> Bool {
        pendingByIdentity[identity].map { isScheduledTime(requests[$0]) } ?? false
    }

    func isScheduledTime(_ slot: RequestSlot) -> Bool {
        let task = tasks[slot.task]
        return slot.origin == .schedule && slot.attempt == 1 && !slot.flags.contains(.started) && !task.isRemoved
            && task.rules.schedule != nil
    }

    /// Whether the request's time passed while no host ran and its schedule does not make up for it. Then it gets its
    /// next time: one step, regardless of the number of missed times.
    mutating func skipsMissed(_ index: RequestIndex) -> Bool {
        let slot = requests[index]
        guard slot.origin == .schedule, slot.attempt == 1, slot.scheduledFor != RequestSlot.none,
            slot.flags.isDisjoint(with: [.released, .started]), let schedule = tasks[slot.task].rules.schedule,
            schedules[schedule].catchUp == .none,
            Self.span(from: slot.scheduledFor, to: now.time.nanoseconds) > Self.lateness,
            let next = schedules[schedule].next(after: now.time)
        else { return false }
        requests[index].scheduledFor = next.nanoseconds
        requests[index].flags.remove(.moved)
        tasks[slot.task].missed += 1
        decisions.append(.remember(requests.handle(index)))
        return true
    }

    /// Why requests are checked against the times of their schedules.
    enum Cause {
        /// The task has another schedule.
        case newSchedule
        /// The clock was set back by a large step.
        case clock
        /// The scheduler starts, or the manifest was reread.
        case start
    }

    /// Gives scheduled requests that wait for their time the one that the schedule means by the present clock.
    mutating func renewOccurrences(_ cause: Cause) {
        for task in tasks.indices { renewOccurrence(of: task, cause) }
    }

    mutating func renewOccurrence(
        of task: TaskIndex, _ cause: Cause
    ) {
        let rules = tasks[task].rules
        guard let schedule = rules.schedule, let index = pendingByIdentity[rules.identity] else { return }
        let slot = requests[index]
        guard slot.task == task, slot.origin == .schedule, slot.attempt == 1, !slot.flags.contains(.started),
            slot.scheduledFor > now.time.nanoseconds, let next = schedules[schedule].next(after: now.time)
        else { return }
        let isOther = next.nanoseconds != slot.scheduledFor
        guard !isOther || !mayWait(slot, schedule, next, cause, at: now) else { return }
        let isBehind = Self.span(from: now.time.nanoseconds, to: slot.submitted) >= Self.smallStep
        switch cause {
        case .newSchedule: break
        case .clock: if isOther { doubt(slot, schedule, next) }
        case .start: if isBehind { doubt(slot, schedule, next) }
        }
        if isOther { setOccurrence(next.nanoseconds, of: index) }
    }

    private mutating func setOccurrence(_ time: Int64, of index: RequestIndex) {
        unplace(index)
        requests[index].scheduledFor = time
        requests[index].flags.subtract([.released, .moved])
        decisions.append(.remember(requests.handle(index)))
        if hasBegun { place(index) }
    }

    /// Keeps the time that the request had, in case it is the present clock that is wrong.
    private mutating func doubt(_ slot: RequestSlot, _ schedule: ScheduleIndex, _ next: Timestamp) {
        let before: Int64
        if let earlier = doubts[slot.identity], earlier.time == slot.scheduledFor {
            before = earlier.before
        } else if slot.scheduledFor > slot.submitted {
            before = slot.scheduledFor
        } else {
            // A host before this one had it wait for a time of such a clock.
            before =
                schedules[schedule].next(after: Timestamp(nanoseconds: slot.submitted))?.nanoseconds
                ?? slot.scheduledFor
        }
        doubts[slot.identity] = DoubtedTime(time: next.nanoseconds, before: before)
    }

    /// The clock was set forward by a large step: it was wrong when it had requests wait for other times. Those that have not begun
    /// since wait for their own again, or are due, if the present clock could mean them.
    mutating func settleDoubts() {
        for task in tasks.indices where !doubts.isEmpty {
            let rules = tasks[task].rules
            guard let doubt = doubts[rules.identity] else { continue }
            guard let index = pendingByIdentity[rules.identity], let schedule = rules.schedule,
                requests[index].task == task, isScheduledTime(requests[index]),
                requests[index].scheduledFor == doubt.time
            else {
                doubts[rules.identity] = nil
                continue
            }
            guard means(doubt.before, schedule) else { continue }
            doubts[rules.identity] = nil
            setOccurrence(doubt.before, of: index)
        }
    }

    /// Whether that time has come, or is the next one of the schedule, or the one after that: the next may have run before.
    private func means(_ time: Int64, _ schedule: ScheduleIndex) -> Bool {
        guard time > now.time.nanoseconds, let next = schedules[schedule].next(after: now.time) else { return true }
        return next.nanoseconds == time || follows(time, next, within: 1, of: schedule)
    }

    /// The clock was set back a little: pending times of paces move back with it, so that no pace stops until the clock
    /// catches up.
    mutating func keepPaces(after step: TimeSpan) {
        for task in tasks.indices {
            guard let schedule = tasks[task].rules.schedule, schedules[schedule].isPace,
                let index = pendingByIdentity[tasks[task].rules.identity]
            else { continue }
            let slot = requests[index]
            guard slot.task == task, isScheduledTime(slot), let time = RequestSlot.time(slot.scheduledFor) else {
                continue
            }
            let moved = schedules[schedule].moved(time, back: step)
            guard moved != time else { continue }
            unplace(index)
            requests[index].scheduledFor = moved.nanoseconds
            if !schedules[schedule].has(moved) { requests[index].flags.insert(.moved) }
            decisions.append(.remember(requests.handle(index)))
            place(index)
        }
    }

    /// How many times skipped in a row are distinguished from a wrong clock.
    private static let mostLeftOut = 32

    /// Whether the request may wait for a time after the next one. The user may have skipped the times between, unless a
    /// clock was set back before its submission (a pace does not stop for one); after a step of the clock only the next one,
    /// which may also have run before.
    private func mayWait(
        _ slot: RequestSlot, _ schedule: ScheduleIndex, _ next: Timestamp, _ cause: Cause, at now: ClockReading
    )
        -> Bool
    {
        let most: Int
        switch cause {
        case .newSchedule: return false
        case .clock: most = 1
        case .start:
            let step = Self.span(from: now.time.nanoseconds, to: slot.submitted)
            most = step < (schedules[schedule].isPace ? Self.leastStep : Self.smallStep) ? Self.mostLeftOut : 1
        }
        return follows(slot.scheduledFor, next, within: most, of: schedule)
    }

    /// Whether the time is one of so many that the schedule has after that one.
    private func follows(_ time: Int64, _ next: Timestamp, within most: Int, of schedule: ScheduleIndex) -> Bool {
        var last = next
        for _ in 0..<most {
            guard let later = schedules[schedule].next(after: last) else { return false }
            if later.nanoseconds >= time { return later.nanoseconds == time }
            last = later
        }
        return false
    }
}
