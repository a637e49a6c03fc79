package import TaskModel

// Sessions, and when their applications are woken.
extension TransferQueue {
    /// A session of the record, or one that an application opens for the first time.
    package mutating func addSession(_ session: NewSession) -> SessionHandle {
        know(session.application)
        let index = sessions.take(SessionSlot(options: session))
        sessions[index].hasNews = session.awaitsHandling
        if session.awaitsHandling && hasBegun { wakes.set(index, to: 0) }
        sessions.append(index, to: &applications[session.application].sessions)
        return sessions.handle(index)
    }

    /// The configuration with which an application opens an existing session. Its transfers follow it, except that existing
    /// ones keep their resource timeout. Takes time for each of its transfers if it has changed.
    package mutating func setOptions(
        of session: SessionHandle, _ options: NewSession, at now: ClockReading
    ) {
        self.now = now
        guard let index = sessions.index(session) else { return }
        var options = options
        options.application = sessions[index].options.application
        options.awaitsHandling = sessions[index].options.awaitsHandling
        guard sessions[index].options != options else { return }
        forEachMember(of: index) { queue, transfer in
            queue.count(transfer, -1)
            if queue.transfers[transfer].place == .ready { queue.unplace(transfer) }
        }
        sessions[index].options = options
        forEachMember(of: index) { queue, transfer in
            queue.count(transfer, 1)
            queue.ready.setBound(of: queue.transfers[transfer].route, connections: options.connectionsPerHost)
            let place = queue.transfers[transfer].place
            if place == .parked { queue.place(transfer) }
            if place == .running { queue.stopIfLost(transfer) }
        }
        considerWake(index)
        start()
    }

    /// A running process has opened it and asked for events: they are delivered there, and no process is launched for
    /// them.
    package mutating func open(
        _ session: SessionHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = sessions.index(session) else { return }
        sessions[index].isOpen = true
        sessions[index].options.awaitsHandling = false
        considerWake(index)
    }

    /// The process that had it open has ended, or closed it: undelivered events go to the next one.
    package mutating func close(
        _ session: SessionHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = sessions.index(session) else { return }
        close(index)
        considerWake(index)
        start()
    }

    mutating func close(_ index: SessionIndex) {
        guard sessions[index].isOpen else { return }
        sessions[index].isOpen = false
        releaseUnanswered(index)
        if sessions[index].untold + sessions[index].asking > 0 { sessions[index].hasNews = true }
    }

    /// Its application has invalidated it: its remaining transfers are deleted, attempts in progress stopped.
    package mutating func removeSession(
        _ session: SessionHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = sessions.index(session) else { return }
        forEachMember(of: index) { queue, transfer in
            if queue.transfers[transfer].isUnderWay {
                queue.decisions.append(.stop(queue.transfers.handle(transfer)))
            }
            queue.forget(transfer)
        }
        wakes.remove(index)
        let application = sessions[index].options.application
        if sessions[index].awaitsHandling { applications[application].handling -= 1 }
        sessions.remove(index, from: &applications[application].sessions)
        sessions.release(index)
        start()
    }

    /// The application has called the completion handler of the session's events. Not in time: it was terminated, its process
    /// ended before, or it could not be launched; its delay doubles once more, and it is woken again when that is over.
    package mutating func eventsHandled(
        _ session: SessionHandle, inTime: Bool, at now: ClockReading
    ) {
        self.now = now
        guard let index = sessions.index(session), sessions[index].awaitsHandling else { return }
        let application = sessions[index].options.application
        sessions[index].awaitsHandling = false
        applications[application].handling -= 1
        if !inTime {
            doubleDelay(of: application)
            let next = now.instant + applications[application].delay
            applications[application].nextWake = next
            applications[application].forgets = next + applications[application].delay
            sessions[index].hasNews = true
        }
        // It was called for them, and has not opened the session.
        if !sessions[index].isOpen { releaseUnanswered(index) }
        considerWake(index)
        start()
    }

    /// Launches the application if there are events, and no process that receives them.
    mutating func considerWake(_ index: SessionIndex) {
        let session = sessions[index]
        let application = applications[session.options.application]
        guard hasBegun, session.hasNews, !session.awaitsHandling, session.options.sendsLaunchEvents,
            session.hasEvents, !application.isQuit, !application.isMissing, application.standing != .foreground,
            !(session.isOpen && application.standing == .background)
        else { return wakes.remove(index) }
        guard application.nextWake <= now.instant else {
            return wakes.set(index, to: Int64(clamping: application.nextWake.nanoseconds))
        }
        wakes.remove(index)
        // One launch delivers the events of several sessions.
        if application.handling == 0 { doubleDelay(of: session.options.application) }
        applications[session.options.application].handling += 1
        sessions[index].awaitsHandling = true
        sessions[index].hasNews = false
        sessions[index].options.awaitsHandling = false
        decisions.append(.wake(sessions.handle(index)))
    }

    /// Also when the body removes the transfer from its session.
    mutating func forEachMember(of session: SessionIndex, _ body: (inout TransferQueue, TransferIndex) -> Void) {
        var next = sessions[session].members.first
        while let index = next {
            next = members.next(after: index)
            body(&self, index)
        }
    }
}

extension SessionSlot {
    /// All that were resumed are over and some are untold, or one asks; or the host ended while they were handled.
    var hasEvents: Bool { going == 0 && untold > 0 || asking > 0 || options.awaitsHandling }
}
