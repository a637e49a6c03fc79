import TaskModel

// Slow downloads while another application waits for a place: they continue later, where they stopped.
extension TransferQueue {
    /// Stops one that is slow, if others wait.
    mutating func stopSlow() {
        guard nextLook <= now.instant else { return }
        nextLook = .distantFuture
        guard let waiting = awaitedPlace else { return }
        var next = running.first
        while let index = next {
            next = transfers.next(after: index)
            guard mayYield(index, to: waiting), let span = measured(index, at: now), span >= limits.slowSpan else {
                continue
            }
            let moved = transfers[index].received.subtractingWithSaturation(transfers[index].mark)
            guard Double(moved) < Double(limits.slowest) * span.seconds else {
                measure(index)
                continue
            }
            // One at a time: there may be another place soon, and others see to the next.
            transfers[index].flags.insert(.yielding)
            return stop(index)
        }
    }

    /// It has been stopped because it was slow.
    mutating func yield(_ index: TransferIndex) {
        pause(index, limits.rest)
        transfers[index].flags.insert(.yielded)
        transfers.append(index, to: &yielded)
    }

    /// Notes when to look for slow ones, if others wait. Takes time for running transfers.
    mutating func considerSlow() {
        guard let waiting = awaitedPlace else { return nextLook = .distantFuture }
        guard nextLook == .distantFuture else { return }
        var next = running.first
        while let index = next {
            next = transfers.next(after: index)
            // One that is stopped already makes room.
            guard !transfers[index].flags.contains(.yielding) else { return nextLook = .distantFuture }
            guard mayYield(index, to: waiting), let span = measured(index, at: now) else { continue }
            nextLook = min(nextLook, now.instant + max(.zero, limits.slowSpan - span))
        }
    }

    /// Speed counts from now on.
    mutating func measure(_ index: TransferIndex) {
        transfers[index].since = Int64(clamping: now.instant.nanoseconds)
        transfers[index].mark = transfers[index].received
    }

    /// The application that waits for nothing but a place; nil: none does.
    private var awaitedPlace: ApplicationIndex? {
        guard limits.slowest > 0, running.count >= limits.concurrency, !isFull, let first = ready.first else {
            return nil
        }
        return sessions[transfers[first].session].options.application
    }

    /// An upload cannot be continued everywhere, so it keeps its place.
    private func mayYield(_ index: TransferIndex, to waiting: ApplicationIndex) -> Bool {
        let slot = transfers[index]
        return slot.kind == .download && !slot.flags.contains(.stopping)
            && sessions[slot.session].options.application != waiting
    }

    private func measured(_ index: TransferIndex, at now: ClockReading) -> TimeSpan? {
        let since = transfers[index].since
        return since > 0 ? now.instant - Instant(nanoseconds: UInt64(since)) : nil
    }
}
