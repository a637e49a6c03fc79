package import TaskModel

// Queries for users and documents.
extension TransferQueue {
    package var counts: TransferCounts {
        var counts = TransferCounts()
        counts.running = running.count + saving.count
        counts.open = open
        counts.untold = untold
        return counts
    }

    /// The application's attempts in progress.
    package func running(of application: ApplicationIndex) -> Int {
        applications.contains(application) ? ready.running(of: application) : 0
    }

    /// Its state; nil: it is no longer known.
    package func state(of transfer: TransferHandle) -> TransferState? {
        transfers.index(transfer).map { index in
            let slot = transfers[index]
            if !slot.isOpen { return .ended }
            if slot.flags.contains(.suspended) { return .suspended }
            return switch slot.place {
            case .running, .saving, .weighing, .ending: .running
            case .asking: .asking
            case .parked, .dated, .paused, .cramped, .ready, .ended: .waiting
            }
        }
    }

    /// An attempt is to be ordered, or goes on: it has a place, and no end.
    package func isUnderWay(_ transfer: TransferHandle) -> Bool {
        transfers.index(transfer).map { transfers[$0].isUnderWay } ?? false
    }

    /// An attempt goes on, or has brought all of it: it may get the end of that attempt.
    package func awaitsEnd(_ transfer: TransferHandle) -> Bool {
        transfers.index(transfer).map { transfers[$0].isUnderWay || transfers[$0].place == .weighing } ?? false
    }

    /// Its present rate in bytes a second; 0: unlimited.
    package func rate(of transfer: TransferHandle) -> Int64 {
        transfers.index(transfer).map { transfers[$0].rate } ?? 0
    }

    /// Bytes that it may write at present: free space, less the floor and the needs of other transfers.
    package func room(for transfer: TransferHandle) -> Int64 {
        guard let index = transfers.index(transfer), available < .max else { return .max }
        return max(0, available + transfers[index].reserve)
    }

    /// The application was woken for the session, or will be, and has not called the completion handler.
    package func awaitsHandling(_ session: SessionHandle) -> Bool {
        sessions.index(session).map { sessions[$0].awaitsHandling } ?? false
    }

    /// Why it waits; nil: it runs, or it is over.
    package func wait(of transfer: TransferHandle, at now: ClockReading) -> TransferWaiting? {
        guard let index = transfers.index(transfer) else { return nil }
        let slot = transfers[index]
        let application = sessions[slot.session].options.application
        guard slot.place < .ending else { return nil }
        if slot.flags.contains(.suspended) { return TransferWaiting(.suspended) }
        if slot.flags.contains(.held) { return TransferWaiting(.person) }
        if applications[application].isMissing { return TransferWaiting(.applicationMissing) }
        switch slot.place {
        case .dated: return TransferWaiting(.date, until: Timestamp(nanoseconds: slot.earliest))
        case .paused:
            let end = Instant(nanoseconds: UInt64(max(0, pauses[index] ?? 0)))
            let until = now.time + (end - now.instant)
            if slot.flags.contains(.yielded) { return TransferWaiting(isFull ? .disk : .concurrency, until: until) }
            if slot.flags.contains(.foundFull) { return TransferWaiting(.disk, until: until) }
            if slot.flags.contains(.cutOff), group(of: slot).wait(in: conditions) == .network {
                return TransferWaiting(.network, until: until)
            }
            return TransferWaiting(slot.flags.contains(.delayed) ? .delay : .backoff, until: until)
        case .cramped: return TransferWaiting(.disk)
        case .asking: return TransferWaiting(.answer)
        case .ready:
            if let wait = group(of: slot).wait(in: conditions) {
                return TransferWaiting(wait, until: wait == .window ? conditions.windowEdge : nil)
            }
            if isFull { return TransferWaiting(.disk) }
            return TransferWaiting(ready.isFull(slot.route) ? .perHost : .concurrency)
        case .parked, .running, .saving, .weighing, .ending, .ended: return nil
        }
    }
}
