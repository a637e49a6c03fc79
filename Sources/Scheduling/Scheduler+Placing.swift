package import TaskModel

// Where a pending request is kept, and the tables that find it.
extension Scheduler {
    /// How late a schedule's time may be found to have come before it counts as missed.
    package static let lateness = TimeSpan.minutes(1)

    /// Moves a pending request to where it belongs now.
    mutating func place(_ index: RequestIndex) {
        let slot = requests[index]
        let task = tasks[slot.task]
        let group = classes.group(task.set, slot.kind, slot.flags)
        if let other = runningByIdentity[slot.identity], takesPlace(slot) {
            if slot.date > now.time.nanoseconds {
                requests[index].put(.dated, group)
                dates.set(index, to: slot.date)
            } else {
                requests[index].put(.parked, group)
                guard !isPaused(slot.task), !requests[other].flags.contains(.expired) else { return }
                requests[other].flags.insert(.expired)
                decisions.append(.expire(requests.handle(other), .superseded))
            }
        } else if task.isRemoved || earlierRun(holding: slot) != nil || awaitsForeground(slot)
            || lacksOwn(slot, task)
        {
            requests[index].put(.parked, group)
        } else if slot.backoffEnd > now.instant.nanoseconds {
            requests[index].put(.backedOff, group)
            backoffs.set(index, to: Int64(clamping: slot.backoffEnd))
        } else if slot.date > now.time.nanoseconds || skipsMissed(index) {
            requests[index].put(.dated, group)
            dates.set(index, to: requests[index].date)
        } else if isHeldBack(slot.task) {
            requests[index].put(.parked, group)
            requests[index].flags.insert(.released)
        } else {
            requests[index].put(.ready, group)
            requests[index].flags.insert(.released)
            queues.insert(
                index, application: task.rules.application, group: group, priority: task.rules.priority, requests)
        }
    }

    /// It is a time of a schedule that ends the run before.
    private func takesPlace(_ slot: RequestSlot) -> Bool {
        guard isScheduledTime(slot), let schedule = tasks[slot.task].rules.schedule else { return false }
        return schedules[schedule].overlap == .replace
    }

    /// Takes a pending request from where it is kept.
    mutating func unplace(_ index: RequestIndex) {
        let slot = requests[index]
        switch slot.place {
        case .parked: break
        case .dated: dates.remove(index)
        case .backedOff: backoffs.remove(index)
        case .ready:
            let rules = tasks[slot.task].rules
            queues.remove(
                index, application: rules.application, group: slot.group, priority: rules.priority, requests)
        }
        requests[index].place = .parked
    }

    // MARK: Slots

    /// A slot for the request, which is in no table yet: the last one in the order of submission.
    mutating func makeSlot(_ request: TaskRequest, of task: TaskIndex) -> RequestIndex {
        defer { nextSequence += 1 }
        return requests.take(RequestSlot(request, of: task, sequence: nextSequence))
    }

    /// Makes the slot the request's: the last one in the order of submission.
    mutating func fill(_ index: RequestIndex, with request: TaskRequest, of task: TaskIndex) {
        if !shortages.isEmpty { shortages[index] = nil }
        requests[index] = RequestSlot(request, of: task, sequence: nextSequence)
        nextSequence += 1
    }

    /// Forgets the request. It must be in no table any more.
    mutating func forget(_ index: RequestIndex) {
        let slot = requests[index]
        decisions.append(.forget(identity: slot.identity, submitted: Timestamp(nanoseconds: slot.submitted)))
        if !shortages.isEmpty { shortages[index] = nil }
        requests.release(index)
    }

    /// Calls the body with each request in the list. It may remove that one, and add others at the end.
    mutating func forEachRequest(in list: SlotList<RequestIndex>, _ body: (inout Scheduler, RequestIndex) -> Void) {
        var next = list.first
        while let index = next {
            next = index == list.last ? nil : requests.next(after: index)
            body(&self, index)
        }
    }

    /// Pending requests of the application, in the order in which they came.
    func pendingSlots(of application: ApplicationIndex, where isMeant: (RequestSlot) -> Bool) -> [RequestIndex] {
        var list: [RequestIndex] = []
        var next = applications[application].pending.first
        while let index = next {
            if isMeant(requests[index]) { list.append(index) }
            next = requests.next(after: index)
        }
        return list
    }

    // MARK: Tables of pending requests

    /// Makes it the pending request of its identity, of which there must be none. It still needs a place.
    mutating func enlist(_ index: RequestIndex) {
        let slot = requests[index]
        let application = tasks[slot.task].rules.application
        pendingByIdentity[slot.identity] = index
        if slot.counts { applications[application].add(1, slot.kind) }
        requests[index].phase = .pending
        requests.append(index, to: &applications[application].pending)
    }

    /// Gives a pending request the terms of a newer one of its identity. It still needs a place.
    mutating func replace(_ index: RequestIndex, by request: TaskRequest, of task: TaskIndex) {
        guard requests[index].task == task else {
            delist(index)
            fill(index, with: request, of: task)
            return enlist(index)
        }
        // It stays in the tables that know it by its identity: at a million requests each is a trip to memory.
        unplace(index)
        let application = tasks[task].rules.application
        let old = requests[index]
        if old.counts { applications[application].add(-1, old.kind) }
        fill(index, with: request, of: task)
        if requests[index].counts { applications[application].add(1, request.kind) }
    }

    /// Takes a pending request out of all tables.
    mutating func delist(_ index: RequestIndex) {
        unplace(index)
        let slot = requests[index]
        let application = tasks[slot.task].rules.application
        pendingByIdentity[slot.identity] = nil
        if slot.counts { applications[application].add(-1, slot.kind) }
        requests.remove(index, from: &applications[application].pending)
    }

    /// A time for the record of a new submission that differs from those of the running requests of the same identity.
    func distinct(_ submitted: Timestamp, identity: Int64) -> Timestamp {
        guard let newest = runningByIdentity[identity] else { return submitted }
        let others = overtaken.isEmpty ? [] : overtaken[identity] ?? []
        var time = submitted.nanoseconds
        while requests[newest].submitted == time || others.contains(where: { requests[$0].submitted == time }) {
            time &+= 1
        }
        return Timestamp(nanoseconds: time)
    }
}
