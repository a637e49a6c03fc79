package import TaskModel

// Results of attempts.
extension TransferQueue {
    /// The server has answered, with this many bytes to come; nil: unknown. A transfer that does not fit on the disk is
    /// stopped, and waits for space.
    package mutating func answered(
        _ transfer: TransferHandle, needs: Int64?, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer) else { return }
        setNeed(of: index, Self.need(needs))
        if transfers[index].place == .running && available < 0 { stop(index) }
        // It may need less than it was thought to.
        start()
    }

    /// This many bytes of the body are in its file. Cheap; decides nothing.
    package mutating func progressed(_ transfer: TransferHandle, received: Int64) {
        guard let index = transfers.index(transfer) else { return }
        let more = received.subtractingWithSaturation(transfers[index].received)
        transfers[index].received = received
        transfers[index].mark = min(transfers[index].mark, received)
        guard more > 0, transfers[index].place == .running else { return }
        transfers[index].failures = 0
        transfers[index].flags.remove(.foundFull)
        written = written.addingWithSaturation(more)
        if transfers[index].need >= 0 { setNeed(of: index, max(0, transfers[index].need - more)) }
    }

    /// An upload makes headway: what failed before counts no more. Cheap; decides nothing.
    package mutating func progressed(_ transfer: TransferHandle) {
        guard let index = transfers.index(transfer) else { return }
        transfers[index].failures = 0
    }

    /// Its body is complete, and being synced: another transfer may have its connection, so that one barrier of the disk
    /// serves many.
    package mutating func whole(
        _ transfer: TransferHandle, at now: ClockReading
    ) {
        self.now = now
        guard let index = transfers.index(transfer), transfers[index].place == .running,
            saving.count < Self.mostSaving
        else { return }
        leave(index)
        transfers[index].place = .saving
        transfers.append(index, to: &saving)
        start()
    }

    /// The attempt is over. A report about an attempt that is not in progress, or of a transfer that has an end, is
    /// ignored; so is any but `finished` about one that is being weighed.
    ///
    /// - Returns: whether it counts. After `finished` the end is the host's to write, by way of `ended`.
    @discardableResult
    package mutating func attemptEnded(
        _ transfer: TransferHandle, _ end: AttemptEnd, at now: ClockReading
    ) -> Bool {
        self.now = now
        guard let index = transfers.index(transfer),
            transfers[index].isUnderWay || transfers[index].place == .weighing && end == .finished
        else { return false }
        let isYielding = transfers[index].flags.contains(.yielding)
        leave(index)
        transfers[index].flags.insert(.released)
        switch end {
        case .stopped where isYielding: yield(index)
        case .finished:
            timeouts.remove(index)
            change(index) { $0.place = .ending }
        case .weighed:
            change(index) { $0.place = .weighing }
        case .asks:
            sessions[transfers[index].session].hasNews = true
            change(index) { $0.place = .asking }
        case .stopped:
            place(index)
        case .interrupted(let isNetwork, let after):
            fail(index, isNetwork: isNetwork, after: after)
            if isNetwork { sayNetwork(index) }
        case .noSpace:
            transfers[index].flags.insert(.foundFull)
            transfers[index].need = max(transfers[index].need, Self.leastRoom)
            fail(index, isNetwork: false, after: nil)
        }
        start()
        return true
    }

    /// The transfer process has ended, and every attempt with it.
    package mutating func processLost(at now: ClockReading) {
        self.now = now
        while let index = running.first ?? saving.first {
            leave(index)
            transfers[index].flags.insert(.released)
            fail(index, isNetwork: false, after: nil)
        }
        start()
    }

    /// Pauses it after a failure.
    private mutating func fail(_ index: TransferIndex, isNetwork: Bool, after: TimeSpan?) {
        let failures = transfers[index].failures
        transfers[index].failures = failures == .max ? failures : failures + 1
        pause(index, max(backOff(index, failures: failures), after ?? .zero))
        guard isNetwork && after == nil else { return }
        transfers[index].flags.insert(.cutOff)
        transfers.append(index, to: &cutOff)
    }

    /// Twice as long after each failure, and a quarter more or less, so that many do not come back at once. The same
    /// transfer fails in the same rhythm each time.
    private func backOff(_ index: TransferIndex, failures: UInt16) -> TimeSpan {
        let (first, longest) = (limits.firstPause.nanoseconds, limits.longestPause.nanoseconds)
        let doublings = Int64(min(failures, 30))
        let pause = first > longest >> doublings ? longest : first << doublings
        // SplitMix64 of its rank and failures.
        var z = UInt64(bitPattern: transfers[index].rank) &+ UInt64(failures) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        let step = Int64((z ^ (z >> 31)) & 1023)
        return TimeSpan(nanoseconds: pause - pause / 4 + pause / 2048 * step)
    }
}
