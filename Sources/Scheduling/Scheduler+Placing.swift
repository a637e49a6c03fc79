import TaskModel

// Where a pending request is kept, and the tables that find it.
extension Scheduler {
    /// How late a schedule's time may be found to have come before it counts as missed.
    static let lateness = TimeSpan.minutes(1)

    /// Puts a pending request where it belongs now.
    mutating func place(_ index: UInt32, at now: Moment, into decisions: inout [Decision]) {
        let slot = requests[Int(index)]
        let task = tasks[Int(slot.task)]
        let group = classes.group(task.set, slot.kind, slot.flags)
        if task.isRemoved || runningByIdentity[slot.identity] != nil || awaitsForeground(slot) {
            requests[Int(index)].put(.parked, group)
        } else if slot.backoffEnd > now.instant.nanoseconds {
            requests[Int(index)].put(.paused, group)
            pauses.set(index, to: Int64(clamping: slot.backoffEnd))
        } else if slot.date > now.time.nanoseconds || skipsMissed(index, at: now, into: &decisions) {
            requests[Int(index)].put(.dated, group)
            dates.set(index, to: requests[Int(index)].date)
        } else {
            requests[Int(index)].put(.ready, group)
            requests[Int(index)].flags.insert(.released)
            queues.insert(index, application: task.rules.application, group: group, requests)
        }
    }

    /// Takes a pending request from where it is kept.
    mutating func unplace(_ index: UInt32) {
        switch requests[Int(index)].place {
        case .parked: break
        case .dated: dates.remove(index)
        case .paused: pauses.remove(index)
        case .ready: queues.remove(index, requests)
        }
        requests[Int(index)].place = .parked
    }

    // MARK: Slots

    /// A slot for the request, which is in no table yet.
    mutating func makeSlot(_ request: NewRequest) -> UInt32 {
        let index: UInt32
        if let free = freeRequests.popLast() {
            index = free
        } else {
            index = UInt32(requests.count)
            requests.append(RequestSlot())
        }
        fill(index, with: request)
        return index
    }

    /// Makes the slot the request's: the last one in the order of submission.
    mutating func fill(_ index: UInt32, with request: NewRequest) {
        if !shortages.isEmpty { shortages[index] = nil }
        requests[Int(index)].fill(request, sequence: nextSequence)
        nextSequence += 1
    }

    /// Forgets the request. It must be in no table any more.
    mutating func forget(_ index: UInt32, into decisions: inout [Decision]) {
        let slot = requests[Int(index)]
        decisions.append(.forget(identity: slot.identity, submitted: Timestamp(nanoseconds: slot.submitted)))
        if !shortages.isEmpty { shortages[index] = nil }
        requests[Int(index)].phase = .free
        requests[Int(index)].generation &+= 1
        freeRequests.append(index)
    }

    // MARK: Tables of pending requests

    /// Makes it the pending request of its identity, of which there must be none. It still needs a place.
    mutating func enlist(_ index: UInt32) {
        let slot = requests[Int(index)]
        let application = Int(tasks[Int(slot.task)].rules.application)
        pendingByIdentity[slot.identity] = index
        let last = applications[application].append(index, slot)
        requests[Int(index)].enlist(after: last)
        if last != .max { requests[Int(last)].next = index }
    }

    /// Gives a pending request the terms of a newer one of its identity. It still needs a place.
    mutating func replace(_ index: UInt32, by request: NewRequest) {
        guard requests[Int(index)].task == request.task else {
            delist(index)
            fill(index, with: request)
            return enlist(index)
        }
        // It stays in the tables that know it by its identity: at a million requests each is a trip to memory.
        unplace(index)
        let application = Int(tasks[Int(request.task)].rules.application)
        let old = requests[Int(index)]
        if old.counts { applications[application].add(-1, old.kind) }
        fill(index, with: request)
        if requests[Int(index)].counts { applications[application].add(1, request.kind) }
    }

    /// Takes a pending request out of all tables.
    mutating func delist(_ index: UInt32) {
        unplace(index)
        let slot = requests[Int(index)]
        let application = Int(tasks[Int(slot.task)].rules.application)
        pendingByIdentity[slot.identity] = nil
        if slot.counts { applications[application].add(-1, slot.kind) }
        if slot.previous == .max {
            applications[application].first = slot.next
        } else {
            requests[Int(slot.previous)].next = slot.next
        }
        if slot.next == .max {
            applications[application].last = slot.previous
        } else {
            requests[Int(slot.next)].previous = slot.previous
        }
    }

    /// A time for the record of a new submission that tells it from the one of the same identity that runs.
    func distinct(_ submitted: Timestamp, identity: Int64) -> Timestamp {
        guard let other = runningByIdentity[identity], requests[Int(other)].submitted == submitted.nanoseconds else {
            return submitted
        }
        return Timestamp(nanoseconds: submitted.nanoseconds &+ 1)
    }
}
