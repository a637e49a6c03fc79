package import TaskModel

// Requests that the host submits for an application's callbacks: fetches at an interval, and notifications at a rate.
extension Scheduler {
    /// The longest pause between fetches that are not answered, unless the application asked for more.
    private static let longestFetchPause = TimeSpan.seconds(7 * 86_400)
    private static let hour = TimeSpan.seconds(3600)

    // MARK: Fetches

    /// The application requests a fetch at each such interval; nil: none. A task of its own of the kind appRefresh, or a
    /// missing mode, removes the fetch task; the interval is kept for its return.
    package mutating func setFetchInterval(
        _ interval: TimeSpan?, application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        guard applications[application].memory.fetchInterval != interval else { return }
        applications[application].memory.fetchInterval = interval
        if interval == nil { applications[application].memory.unansweredFetches = 0 }
        decisions.append(.rememberApplication(application))
        guard let task = applications[application].fetch else { return }
        if let index = pendingByIdentity[tasks[task].rules.identity], isOwnFetch(requests[index]) {
            delist(index)
            forget(index)
        }
        submitFetch(of: task)
        startReady()
    }

    /// The shortest pause between two answered fetches; nil: the application requests none.
    package func fetchInterval(of application: ApplicationIndex) -> TimeSpan? {
        applications[application].memory.fetchInterval.map { max($0, limits.fetchInterval) }
    }

    /// The shortest pause after a fetch; nil: the application requests none.
    package func fetchPause(of application: ApplicationIndex) -> TimeSpan? {
        guard let least = fetchInterval(of: application) else { return nil }
        let memory = applications[application].memory
        let (doubled, overflow) = least.nanoseconds.multipliedReportingOverflow(
            by: 1 << Int64(min(memory.unansweredFetches, 62)))
        return max(
            least, overflow ? Self.longestFetchPause : min(TimeSpan(nanoseconds: doubled), Self.longestFetchPause))
    }

    /// Submits the next fetch, unless the application wants none, or one is pending or in progress.
    mutating func submitFetch(of task: TaskIndex) {
        let slot = tasks[task]
        let application = slot.rules.application
        guard hasBegun, !slot.isRemoved, !applications[application].memory.isForceQuit,
            pendingByIdentity[slot.rules.identity] == nil, runningByIdentity[slot.rules.identity] == nil,
            let pause = fetchPause(of: application)
        else { return }
        var terms = RequestTerms()
        terms.origin = .host
        terms.earliestBeginDate = Self.time(pause, after: now.time)
        let index = makeSlot(
            TaskRequest(
                identity: slot.rules.identity, kind: slot.rules.kind, terms: terms,
                submitted: distinct(now.time, identity: slot.rules.identity)), of: task)
        enlist(index)
        decisions.append(.remember(requests.handle(index)))
        place(index)
    }

    /// Whether only the application's interval asked for it, and it has not begun.
    private func isOwnFetch(_ slot: RequestSlot) -> Bool {
        slot.kind == .backgroundFetch && slot.origin == .host && slot.attempt == 1 && !slot.flags.contains(.started)
    }

    /// A fetch that its application did not answer doubles the pause, one that it answered restores it.
    mutating func noteAnswer(to slot: RequestSlot, _ outcome: Outcome) {
        guard slot.kind == .backgroundFetch else { return }
        let application = tasks[slot.task].rules.application
        let before = applications[application].memory.unansweredFetches
        var count = before
        switch outcome.row.answer {
        case .missing: count = before == .max ? before : before + 1
        case .given: count = 0
        case .nothing: return
        }
        guard count != before else { return }
        applications[application].memory.unansweredFetches = count
        decisions.append(.rememberApplication(application))
    }

    // MARK: Notifications

    /// When the application may be notified next; nil: at once.
    package func nextNotification(of application: ApplicationIndex, at now: ClockReading) -> Timestamp? {
        let most = min(max(1, limits.notificationsPerHour), NotificationTimes.most)
        guard let oldest = applications[application].memory.notifications[most - 1] else { return nil }
        // The clock may have been set back since.
        let next = Self.time(Self.hour, after: min(oldest, now.time))
        return next > now.time ? next : nil
    }

    /// A notification waits until its application's rate lets it through.
    func dated(_ request: TaskRequest, of task: TaskIndex, at now: ClockReading) -> TaskRequest {
        guard request.kind == .remoteNotification,
            let next = nextNotification(of: tasks[task].rules.application, at: now)
        else { return request }
        var request = request
        request.terms.earliestBeginDate = max(next, request.terms.earliestBeginDate ?? next)
        return request
    }

    /// A notification is delivered now.
    mutating func noteDelivery(of slot: RequestSlot) {
        guard slot.kind == .remoteNotification else { return }
        let application = tasks[slot.task].rules.application
        applications[application].memory.notifications.add(now.time)
        decisions.append(.rememberApplication(application))
    }

    // MARK: Users and clocks

    /// The user quit the application: no request of this kind waits for its return.
    mutating func dropEvents(of application: ApplicationIndex) {
        cancelPending(of: application) { $0.kind.isEvent }
    }

    /// Dates that are farther away than a pause or an hour are those of a wrong clock, or of numbers that hold no more.
    mutating func renewEvents() {
        for application in applications.indices {
            for index in pendingSlots(of: application, where: { $0.kind.isEvent && !$0.flags.contains(.started) }) {
                let slot = requests[index]
                let rest = Self.span(from: now.time.nanoseconds, to: slot.earliest)
                var request = slot.request
                switch slot.kind {
                case .backgroundFetch:
                    guard isOwnFetch(slot), let pause = fetchPause(of: application), rest > pause else { continue }
                    request.terms.earliestBeginDate = Self.time(pause, after: now.time)
                case .appRefresh, .processing, .continuedProcessing, .healthResearch, .remoteNotification:
                    guard slot.origin == .person, rest > Self.hour else { continue }
                    request.terms.earliestBeginDate = nextNotification(of: application, at: now)
                }
                replace(index, by: request, of: slot.task)
                decisions.append(.remember(requests.handle(index)))
                place(index)
            }
        }
    }

    /// The source of the date of such a request; nil for another.
    func source(ofDateOf slot: RequestSlot) -> String? {
        let application = tasks[slot.task].rules.application
        switch slot.kind {
        case .backgroundFetch where slot.origin == .host:
            guard let interval = fetchInterval(of: application) else { return nil }
            let times = applications[application].memory.unansweredFetches
            return "the application asked for a fetch every \(interval)"
                + (times == 0
                    ? "" : ", which doubled with \(times == 1 ? "a fetch" : "\(times) fetches") that it did not answer")
        case .remoteNotification:
            return
                "\(limits.notificationsPerHour) an hour are delivered, and a newer one replaces the one that waits"
        case .appRefresh, .processing, .continuedProcessing, .healthResearch, .backgroundFetch: return nil
        }
    }

    /// Saturates where timestamps end.
    private static func time(_ span: TimeSpan, after time: Timestamp) -> Timestamp {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return Timestamp(nanoseconds: overflow ? .max : sum)
    }
}
