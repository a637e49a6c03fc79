import TaskModel

// Where a transfer is kept until it can continue, and which one begins.
extension TransferQueue {
    /// Moves an open transfer that does not run to where it belongs now.
    mutating func place(_ index: TransferIndex) {
        leave(index)
        let slot = transfers[index]
        let application = applications[sessions[slot.session].options.application]
        guard slot.flags.isDisjoint(with: [.suspended, .held]), !application.isMissing else { return }
        if slot.earliest != TransferSlot.none && !slot.flags.contains(.released) {
            guard hasBegun, slot.earliest <= now.time.nanoseconds else {
                dates.set(index, to: slot.earliest)
                return transfers[index].place = .dated
            }
            if canAsk(slot.session) {
                sessions[slot.session].hasNews = true
                decisions.append(.askDelayed(transfers.handle(index)))
                return change(index) { $0.place = .asking }
            }
            transfers[index].flags.insert(.released)
        }
        transfers[index].lane = ready.insert(index, rank: slot.rank, slot.route, group(of: slot))
        transfers[index].place = .ready
    }

    /// Takes it out of where it is kept, or ends its attempt; it is parked then.
    mutating func leave(_ index: TransferIndex) {
        switch transfers[index].place {
        case .parked, .ending, .ended: return
        case .asking:
            count(index, -1)
            transfers[index].place = .parked
            return count(index, 1)
        case .running:
            transfers.remove(index, from: &running)
            ready.addRunning(-1, transfers[index].route)
            reserved -= transfers[index].reserve
            transfers[index].flags.subtract([.stopping, .yielding])
            transfers[index].rate = 0
        case .saving: transfers.remove(index, from: &saving)
        case .weighing: break
        case .dated, .paused, .cramped, .ready:
            return unplace(index)
        }
        transfers[index].place = .parked
    }

    /// Takes one that waits out of where it is kept.
    mutating func unplace(_ index: TransferIndex) {
        switch transfers[index].place {
        case .dated: dates.remove(index)
        case .cramped: cramped.remove(index)
        case .ready: ready.remove(index, from: transfers[index].lane)
        case .paused:
            pauses.remove(index)
            if transfers[index].flags.contains(.cutOff) { transfers.remove(index, from: &cutOff) }
            if transfers[index].flags.contains(.yielded) { transfers.remove(index, from: &yielded) }
            if transfers[index].flags.contains(.delayed) {
                let application = sessions[transfers[index].session].options.application
                transfers.remove(index, from: &applications[application].delayed)
            }
            transfers[index].flags.subtract([.cutOff, .delayed, .yielded])
        case .parked, .running, .saving, .asking, .weighing, .ending, .ended: return
        }
        transfers[index].place = .parked
    }

    /// Keeps one that is parked until the span is over.
    mutating func pause(_ index: TransferIndex, _ span: TimeSpan) {
        pauses.set(index, to: Int64(clamping: (now.instant + span).nanoseconds))
        transfers[index].place = .paused
    }

    /// Delays a transfer that an application starts in the background.
    mutating func delay(_ index: TransferIndex, at now: ClockReading) {
        let application = sessions[transfers[index].session].options.application
        let delay = delay(of: application, at: now)
        guard delay > .zero, transfers[index].place == .parked else { return }
        pause(index, delay)
        transfers[index].flags.insert(.delayed)
        transfers.append(index, to: &applications[application].delayed)
        // Transfers that it causes when it is over belong to the same chain of launches.
        applications[application].forgets = max(applications[application].forgets, now.instant + delay + delay)
    }

    /// The attempt in progress is stopped; it counts until it has ended.
    mutating func stop(_ index: TransferIndex) {
        guard transfers[index].flags.insert(.stopping).inserted else { return }
        decisions.append(.stop(transfers.handle(index)))
    }

    mutating func setNeed(of index: TransferIndex, _ need: Int64) {
        let isRunning = transfers[index].place == .running
        if isRunning { reserved -= transfers[index].reserve }
        transfers[index].need = need
        if isRunning { reserved += transfers[index].reserve }
    }

    // MARK: Beginning

    /// Begins what may go.
    mutating func start() {
        guard hasBegun else { return }
        let had = decisions.count
        returnCramped()
        var left = Self.portion
        while running.count < limits.concurrency, !isFull, left > 0 {
            left -= 1
            guard let index = ready.first else {
                // Nobody else wants the place.
                guard let rested = yielded.first else { break }
                place(rested)
                continue
            }
            unplace(index)
            let slot = transfers[index]
            guard slot.reserve <= available else {
                cramped.set(index, to: slot.reserve)
                transfers[index].place = .cramped
                continue
            }
            transfers[index].place = .running
            transfers.append(index, to: &running)
            ready.addRunning(1, slot.route)
            reserved += slot.reserve
            measure(index)
            decisions.append(.begin(transfers.handle(index)))
        }
        isStaggered = left == 0
        considerSlow()
        shareRates(had)
    }

    /// Resumes transfers that wait for space, as many as fit, the smallest first.
    private mutating func returnCramped() {
        var room = available
        while let index = cramped.first(upTo: room) {
            room -= transfers[index].reserve
            place(index)
        }
    }

    /// Divides the rates among those that run, when that has become another division.
    private mutating func shareRates(_ had: Int) {
        guard limits.rate > 0 || limits.applicationRate > 0, !running.isEmpty else { return }
        let ofAll = limits.rate > 0 ? max(1, limits.rate / Int64(running.count)) : .max
        var next = running.first
        while let index = next {
            next = transfers.next(after: index)
            let application = sessions[transfers[index].session].options.application
            let count = Int64(ready.running(of: application))
            let ofOne = limits.applicationRate > 0 ? max(1, limits.applicationRate / count) : .max
            let rate = min(ofAll, ofOne)
            guard transfers[index].rate != rate else { continue }
            transfers[index].rate = rate
            decisions.append(.rate(transfers.handle(index), rate))
        }
    }

    // MARK: Counting

    /// Changes one, and what its session counts of it; wakes if that has become due.
    mutating func change(
        _ index: TransferIndex,
        _ body: (inout TransferSlot) -> Void
    ) {
        count(index, -1)
        body(&transfers[index])
        count(index, 1)
        considerWake(transfers[index].session)
    }

    /// Adds it to the counts, or takes it out of them.
    mutating func count(_ index: TransferIndex, _ sign: Int) {
        let slot = transfers[index]
        let one = UInt32(bitPattern: Int32(sign))
        if slot.isGoing {
            sessions[slot.session].going &+= one
            going[Int(group(of: slot).rawValue)] &+= one
        }
        if slot.asks { sessions[slot.session].asking &+= one }
        if slot.isOpen {
            open += sign
        } else {
            untold += sign
            sessions[slot.session].untold &+= one
        }
    }
}
