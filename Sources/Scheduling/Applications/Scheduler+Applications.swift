package import TaskModel

// Events of applications: the user's commands, used processor time, crashes.
extension Scheduler {
    /// Pauses of quarantine grow to this.
    private static let longestQuarantine = TimeSpan.seconds(86_400)

    /// The user quit the application: none of its requests runs until the user opens it. Its continued processing ends,
    /// queued or running, without a callback, and its fetches and notifications are dropped.
    package mutating func quit(application: ApplicationIndex, at now: ClockReading) {
        observe(now)
        let wasQuit = applications[application].memory.isForceQuit
        var isRunning = applications[application].state != .notRunning
        forEachRequest(in: running) { scheduler, index in
            guard scheduler.tasks[scheduler.requests[index].task].rules.application == application else { return }
            scheduler.requests[index].flags.insert(.doomed)
            isRunning = true
        }
        cancelPending(of: application) { $0.kind == .continuedProcessing }
        if isRunning { decisions.append(.terminate(application: application, .userCancelled)) }
        if !wasQuit {
            applications[application].memory.isForceQuit = true
            applications[application].forceQuitSince = now.time.nanoseconds
            decisions.append(.rememberApplication(application))
            settle(application)
        }
        dropEvents(of: application)
        startReady()
    }

    /// The user opened the application.
    package mutating func open(application: ApplicationIndex, at now: ClockReading) {
        observe(now)
        guard applications[application].memory.isForceQuit else { return }
        applications[application].memory.isForceQuit = false
        let since = applications[application].forceQuitSince
        noteHold(.forceQuit, 0, of: application, from: since, to: now.time.nanoseconds)
        applications[application].forceQuitSince = now.time.nanoseconds
        decisions.append(.rememberApplication(application))
        settle(application)
        if let fetch = applications[application].fetch { submitFetch(of: fetch) }
        startReady()
    }

    /// Whether the user has turned background refresh off for the application. Pending refresh requests wait.
    package mutating func setRefreshDenied(
        _ denied: Bool, application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        guard applications[application].memory.isRefreshDenied != denied else { return }
        applications[application].memory.isRefreshDenied = denied
        if !denied {
            let since = applications[application].refreshSince
            noteHold(.backgroundRefresh, 0, of: application, from: since, to: now.time.nanoseconds)
        }
        applications[application].refreshSince = now.time.nanoseconds
        decisions.append(.rememberApplication(application))
        settle(application)
        startReady()
    }

    // MARK: Quarantine

    /// The application crashed, in any run or at launch. Its run may be reported by `ended` too: reports in one turn
    /// count as one crash.
    package mutating func crashed(application: ApplicationIndex, at now: ClockReading) {
        observe(now)
        let before = applications[application].memory
        countCrash(application)
        if applications[application].memory != before { decisions.append(.rememberApplication(application)) }
    }

    /// The user ends the quarantine.
    package mutating func liftQuarantine(
        application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        let memory = applications[application].memory
        guard memory.quarantinedUntil != nil || memory.crashes > 0 else { return }
        applications[application].memory.crashes = 0
        endQuarantine(application)
        decisions.append(.rememberApplication(application))
        settle(application)
        startReady()
    }

    private mutating func countCrash(
        _ application: ApplicationIndex
    ) {
        guard applications[application].lastCrash != now.instant.nanoseconds else { return }
        applications[application].lastCrash = now.instant.nanoseconds
        let (crashes, overflow) = applications[application].memory.crashes.addingReportingOverflow(1)
        applications[application].memory.crashes = overflow ? .max : crashes
        guard crashes >= limits.crashesAllowed else { return }
        let (length, isLong) = limits.quarantine.nanoseconds.multipliedReportingOverflow(
            by: 1 << Int64(min(crashes - limits.crashesAllowed, 62)))
        let pause = isLong ? Self.longestQuarantine : min(TimeSpan(nanoseconds: length), Self.longestQuarantine)
        let (end, isFar) = now.time.nanoseconds.addingReportingOverflow(pause.nanoseconds)
        let until = Timestamp(nanoseconds: isFar ? .max : end)
        if !applications[application].isQuarantined {
            applications[application].quarantineSince = now.time.nanoseconds
        }
        applications[application].memory.quarantinedUntil = until
        decisions.append(.quarantined(application: application, until: until))
        settle(application)
    }

    private mutating func endQuarantine(_ application: ApplicationIndex) {
        guard applications[application].isQuarantined else { return }
        applications[application].memory.quarantinedUntil = nil
        let since = applications[application].quarantineSince
        noteHold(.quarantine, 0, of: application, from: since, to: now.time.nanoseconds)
        applications[application].quarantineSince = now.time.nanoseconds
    }

    // MARK: Processor time

    /// Runs that were not requests used processor time.
    package mutating func charge(
        application: ApplicationIndex, cpuTime: TimeSpan, at now: ClockReading
    ) {
        observe(now)
        guard cpuTime > .zero else { return }
        use(cpuTime, application)
        decisions.append(.rememberApplication(application))
    }

    /// A run of a request has ended: its used time, and whether its application works.
    mutating func account(
        _ application: ApplicationIndex, cpuTime: TimeSpan, health: OutcomeRow.Health
    ) {
        let before = applications[application].memory
        if cpuTime > .zero { use(cpuTime, application) }
        switch health {
        case .crash: countCrash(application)
        case .sound: applications[application].memory.crashes = 0
        case .nothing: break
        }
        if applications[application].memory != before { decisions.append(.rememberApplication(application)) }
    }

    private mutating func use(_ cpuTime: TimeSpan, _ application: ApplicationIndex) {
        var memory = applications[application].memory
        memory.usage = measure.adding(cpuTime, at: now.time, to: memory.usage)
        queues.setUsage(memory.usage, of: application, requests)
        if limits.quota != nil {
            if memory.quotaEnd.map({ $0 <= now.time }) ?? true {
                let (end, overflow) = now.time.nanoseconds.addingReportingOverflow(limits.quotaWindow.nanoseconds)
                memory.quotaEnd = Timestamp(nanoseconds: overflow ? .max : end)
                memory.quotaUsed = .zero
            }
            let (used, overflow) = memory.quotaUsed.nanoseconds.addingReportingOverflow(cpuTime.nanoseconds)
            memory.quotaUsed = TimeSpan(nanoseconds: overflow ? .max : used)
        }
        let wasOver = applications[application].isOverQuota(limits)
        applications[application].memory = memory
        guard applications[application].isOverQuota(limits) != wasOver else { return }
        applications[application].quotaSince = now.time.nanoseconds
        settle(application)
    }

    // MARK: Dates of applications

    /// Brings the ready queues and the heap of dates in line with the application's stored state. Ends that were set by
    /// a clock far ahead come no later than the present clock would set them.
    mutating func settle(_ application: ApplicationIndex) {
        gateChanges &+= 1
        var slot = applications[application]
        let time = now.time.nanoseconds
        if let until = slot.memory.quarantinedUntil {
            if Self.span(from: time, to: until.nanoseconds) > Self.longestQuarantine {
                slot.memory.quarantinedUntil = Timestamp(nanoseconds: time + Self.longestQuarantine.nanoseconds)
            }
        }
        if let end = slot.memory.quotaEnd, Self.span(from: time, to: end.nanoseconds) > limits.quotaWindow {
            slot.memory.quotaEnd = Timestamp(nanoseconds: time + limits.quotaWindow.nanoseconds)
        }
        slot.memory.usage = min(slot.memory.usage, measure.ceiling(at: now.time))
        applications[application] = slot
        if slot.memory.usage != queues.usage(of: application) {
            queues.setUsage(slot.memory.usage, of: application, requests)
        }
        queues.block(slot.blocked(limits), of: application, requests)
        var end = slot.memory.quarantinedUntil?.nanoseconds ?? .max
        if slot.isOverQuota(limits), let window = slot.memory.quotaEnd { end = min(end, window.nanoseconds) }
        if let pauseEnd = slot.pause?.until { end = min(end, pauseEnd.nanoseconds) }
        if end == .max { applicationDates.remove(application) } else { applicationDates.set(application, to: end) }
    }

    /// A quarantine, a quota window or a pause is over.
    mutating func applicationIsDue(
        _ application: ApplicationIndex
    ) {
        if applications[application].pause?.isOver(at: now.time) == true {
            endByTime(.application(application))
        }
        if let until = applications[application].memory.quarantinedUntil, until <= now.time {
            endQuarantine(application)
        }
        if let end = applications[application].memory.quotaEnd, end <= now.time {
            if applications[application].isOverQuota(limits) {
                let since = applications[application].quotaSince
                noteHold(.quota, 0, of: application, from: since, to: now.time.nanoseconds)
                applications[application].quotaSince = now.time.nanoseconds
            }
            applications[application].memory.quotaEnd = nil
            applications[application].memory.quotaUsed = .zero
        }
        decisions.append(.rememberApplication(application))
        settle(application)
    }

    /// Records that some of the application's requests were delayed for a while.
    mutating func noteHold(_ gate: Gate, _ subject: UInt32, of application: ApplicationIndex, from: Int64, to: Int64) {
        guard from < to else { return }
        applications[application].newestHold = holdLog.add(
            gate, subject, from: from, to: to, after: applications[application].newestHold)
    }
}
