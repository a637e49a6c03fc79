package import TaskModel

// Applications: the states of their processes, and the delay of transfers that they start in the background.
extension TransferQueue {
    /// The new state of the application's process. In the foreground: its delay is reset, and it counts as opened by the
    /// user. Not running: none of its sessions is open.
    package mutating func setStanding(
        of application: ApplicationIndex, _ standing: TransferStanding, at now: ClockReading
    ) {
        self.now = now
        know(application)
        applications[application].standing = standing
        if standing == .foreground {
            applications[application].isQuit = false
            applications[application].delay = .zero
            applications[application].nextWake = Instant(nanoseconds: 0)
            while let index = applications[application].delayed.first { place(index) }
        }
        var next = applications[application].sessions.first
        while let session = next {
            if standing == .notRunning { close(session) }
            // It had its time to answer.
            if standing == .suspended, sessions[session].isOpen, !isCalled(session) { releaseUnanswered(session) }
            considerWake(session)
            next = sessions.next(after: session)
        }
        start()
    }

    /// Its application is being called for the session's events, or will be.
    private func isCalled(_ session: SessionIndex) -> Bool {
        let options = sessions[session].options
        return sessions[session].awaitsHandling
            || sessions[session].hasNews && options.sendsLaunchEvents && !applications[options.application].isQuit
    }

    /// The user quit it: open transfers end, and it is not launched for events until it is in the foreground again.
    /// Takes time for each of its transfers.
    package mutating func quit(
        _ application: ApplicationIndex, at now: ClockReading
    ) {
        self.now = now
        know(application)
        applications[application].isQuit = true
        applications[application].handling = 0
        var next = applications[application].sessions.first
        while let session = next {
            sessions[session].awaitsHandling = false
            wakes.remove(session)
            next = sessions.next(after: session)
        }
        forEachMember(of: application) { queue, index in
            queue.end(index, .cancelled, .userForceQuit)
        }
        start()
    }

    /// Its manifest was removed: none of its transfers continues until `restore`. Takes time for each of its transfers.
    package mutating func remove(
        _ application: ApplicationIndex, at now: ClockReading
    ) {
        self.now = now
        setMissing(true, application)
    }

    /// Its manifest is back.
    package mutating func restore(
        _ application: ApplicationIndex, at now: ClockReading
    ) {
        self.now = now
        setMissing(false, application)
    }

    private mutating func setMissing(
        _ isMissing: Bool, _ application: ApplicationIndex
    ) {
        know(application)
        guard applications[application].isMissing != isMissing else { return }
        applications[application].isMissing = isMissing
        ready.block(isMissing, application)
        var next = applications[application].sessions.first
        while let session = next {
            considerWake(session)
            next = sessions.next(after: session)
        }
        forEachMember(of: application) { queue, index in
            let place = queue.transfers[index].place
            if isMissing && place == .running { queue.stop(index) }
            if !isMissing && place == .parked { queue.place(index) }
        }
        start()
    }

    // MARK: The delay

    /// The delay of a transfer that is started in the background now; zero: none.
    func delay(of application: ApplicationIndex, at now: ClockReading) -> TimeSpan {
        now.instant < applications[application].forgets ? applications[application].delay : .zero
    }

    /// Before a launch for events: 60, 120, 240 … s. It is reset when it has passed without another one.
    mutating func doubleDelay(of application: ApplicationIndex) {
        let old = delay(of: application, at: now)
        let new = old == .zero ? limits.firstDelay : min(old + old, limits.longestDelay)
        applications[application].delay = new
        applications[application].forgets = now.instant + new
    }

    // MARK: Tables

    /// Applications are the engine's; here each has its standing from the first time that it is named.
    mutating func know(_ application: ApplicationIndex) {
        while !applications.contains(application) {
            _ = applications.append(ApplicationStanding())
            ready.addApplication()
        }
    }

    mutating func forEachMember(of application: ApplicationIndex, _ body: (inout TransferQueue, TransferIndex) -> Void)
    {
        var next = applications[application].sessions.first
        while let session = next {
            forEachMember(of: session, body)
            next = sessions.next(after: session)
        }
    }
}
