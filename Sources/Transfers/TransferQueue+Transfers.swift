package import TaskModel

// Commands of applications and users for transfers.
extension TransferQueue {
    /// A transfer that an application creates, which is suspended then, or one of the record. Nil: the session does not
    /// exist.
    package mutating func add(
        _ transfer: borrowing BackgroundTransfer, to session: SessionHandle, at now: ClockReading
    ) -> TransferHandle? {
        self.now = now
        guard let session = sessions.index(session) else { return nil }
        let options = sessions[session].options
        let url = WebURL(transfer.request.url)
        let route = ready.join(
            session, origin: url?.originNumber ?? 0, options.application, connections: options.connectionsPerHost)
        nextOrder += 1
        let index = transfers.take(TransferSlot(transfer, to: url, session, route, order: nextOrder))
        members.append(index, to: &sessions[session].members)
        count(index, 1)
        if transfers[index].isOpen {
            let timeout = options.resourceTimeout
            let left = max(.zero, min(timeout, transfer.created + timeout - now.time))
            timeouts.set(index, to: Int64(clamping: (now.instant + left).nanoseconds))
            if let next = transfer.progress.nextTry, next > now.time, transfer.state != .suspended {
                pause(index, min(next - now.time, max(limits.longestPause, limits.longestDelay)))
            } else {
                place(index)
            }
        } else {
            sessions[session].hasNews = true
            // Of a manifest that has come back: others of the session may follow, which are not over.
            if hasBegun { wakes.set(session, to: 0) }
        }
        start()
        return transfers.handle(index)
    }

    /// It may go.
    package mutating func resume(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].flags.contains(.suspended) else { return }
        change(index) { $0.flags.remove(.suspended) }
        guard transfers[index].isOpen else { return }
        if transfers[index].flags.insert(.begun).inserted && transfers[index].flags.contains(.fromBackground) {
            delay(index, at: now)
        }
        if transfers[index].place == .parked {
            place(index)
            sayNetwork(index)
        }
        start()
    }

    /// It does not continue until it is resumed; an attempt in progress is stopped.
    package mutating func suspend(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        setFlag(.suspended, transfer)
    }

    /// The application cancels it.
    package mutating func cancel(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer) else { return }
        end(index, .cancelled, nil)
        start()
    }

    /// The user pauses it, regardless of its application.
    package mutating func hold(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        setFlag(.held, transfer)
    }

    /// The user resumes it.
    package mutating func release(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].flags.contains(.held) else { return }
        transfers[index].flags.remove(.held)
        if transfers[index].place == .parked { place(index) }
        start()
    }

    private mutating func setFlag(
        _ flag: TransferSlot.Flags, _ transfer: TransferHandle
    ) {
        guard let index = transfers.index(transfer), transfers[index].isOpen, !transfers[index].flags.contains(flag)
        else { return }
        change(index) { $0.flags.insert(flag) }
        switch transfers[index].place {
        case .running: stop(index)
        case .dated, .cramped, .ready: unplace(index)
        // A pause continues; a transfer that asks or ends is left to finish that, and a complete file is kept.
        case .parked, .paused, .saving, .asking, .weighing, .ending, .ended: break
        }
        start()
    }

    /// 0 to 1.
    package mutating func setPriority(
        _ transfer: TransferHandle, _ priority: Float, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer) else { return }
        transfers[index].rank = Self.rank(priority, order: transfers[index].rank & Self.orders)
        guard transfers[index].place == .ready else { return }
        unplace(index)
        place(index)
        start()
    }

    /// Not before; nil: at once. Means nothing to one that has begun.
    package mutating func setEarliest(
        _ transfer: TransferHandle, _ earliest: Timestamp?, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer) else { return }
        transfers[index].earliest = earliest?.nanoseconds ?? TransferSlot.none
        guard transfers[index].place == .dated || transfers[index].place == .ready else { return }
        unplace(index)
        place(index)
        start()
    }

    /// The application has answered the question, and the transfer continues.
    package mutating func applicationAnswered(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].place == .asking else { return }
        release(index)
        start()
    }

    /// Whether the application has an answer of its own to delayed requests of the session. Without one it is not launched to be
    /// asked; a process that runs still is, and may know better.
    package mutating func setAnswersDelayed(_ session: SessionHandle, _ answers: Bool) {
        if let index = sessions.index(session) { sessions[index].answersDelayed = answers }
    }

    /// Whether a process answers whether delayed requests of the session may begin, or is launched for that.
    func canAsk(_ session: SessionIndex) -> Bool {
        let standing = applications[sessions[session].options.application].standing
        return sessions[session].options.sendsLaunchEvents && sessions[session].answersDelayed
            || sessions[session].isOpen && (standing == .foreground || standing == .background)
    }

    /// The process that was asked is gone, or does not run any more: delayed requests of the session begin as they are. Challenges
    /// wait for the next process.
    mutating func releaseUnanswered(_ session: SessionIndex) {
        guard sessions[session].asking > 0 else { return }
        forEachMember(of: session) { queue, index in
            let slot = queue.transfers[index]
            guard slot.place == .asking, slot.earliest != TransferSlot.none, !slot.flags.contains(.released) else {
                return
            }
            queue.decisions.append(.withdrawQuestion(queue.transfers.handle(index)))
            queue.release(index)
        }
    }

    private mutating func release(_ index: TransferIndex) {
        change(index) {
            $0.place = .parked
            $0.flags.insert(.released)
        }
        place(index)
    }

    // MARK: Ends

    /// The host has its end, and records it in this turn: the one way to an end, from wherever it is. An attempt in
    /// progress counts no more.
    ///
    /// - Returns: whether it is its end. False: it has ended already, or is no longer known; nothing may be recorded.
    @discardableResult
    package mutating func ended(
        _ transfer: TransferHandle, at now: ClockReading
    ) -> Bool {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].isOpen else { return false }
        leave(index)
        timeouts.remove(index)
        sessions[transfers[index].session].hasNews = true
        change(index) { $0.place = .ended }
        start()
        return true
    }

    /// Its application has acknowledged its end: its handle is invalid from now on.
    package mutating func told(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].place == .ended else { return }
        forget(index)
    }

    /// It gets this end, unless it has one.
    mutating func end(
        _ index: TransferIndex, _ error: TransferError, _ reason: TransferCancelReason?
    ) {
        guard transfers[index].place < .ending else { return timeouts.remove(index) }
        leave(index)
        timeouts.remove(index)
        change(index) { $0.place = .ending }
        decisions.append(.end(transfers.handle(index), error, reason))
    }

    /// Takes it out of every table.
    mutating func forget(_ index: TransferIndex) {
        leave(index)
        timeouts.remove(index)
        count(index, -1)
        members.remove(index, from: &sessions[transfers[index].session].members)
        ready.leave(transfers[index].route)
        transfers.release(index)
    }

    // MARK: Numbers

    private static let orders: Int64 = 1 << 56 - 1

    /// The highest priority first, then the oldest.
    static func rank(_ priority: Float, order: Int64) -> Int64 {
        let step = priority.isNaN ? 63 : Int64((1 - max(0, min(1, priority))) * 126)
        return step << 56 | order
    }

    static func need(_ size: Int64?) -> Int64 { size.map { max(0, min($0, largestNeed)) } ?? -1 }
}
