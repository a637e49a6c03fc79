import TaskModel

// Runs of one identity beside each other, which a schedule may allow.
//
// The one that began last stands for the identity: it alone is in the record, and may have a further try. Those before it hold
// their places and have conditions to lose like any other, and are done when they have ended.
extension Scheduler {
    /// The request is a time of a schedule that lets its runs overlap, or a further try of one.
    func mayOverlap(_ slot: RequestSlot) -> Bool {
        guard slot.origin == .schedule, let schedule = tasks[slot.task].rules.schedule else { return false }
        return schedules[schedule].overlap == .allow
    }

    /// The run in progress that keeps a pending request from starting; nil: none does.
    func earlierRun(holding slot: RequestSlot) -> RequestIndex? {
        guard let newest = runningByIdentity[slot.identity] else { return nil }
        return mayOverlap(slot) && runCount(of: slot.identity) < Limit.overlaps.most ? nil : newest
    }

    /// Runs of the identity that are in progress.
    func runCount(of identity: Int64) -> Int {
        guard runningByIdentity[identity] != nil else { return 0 }
        return 1 + (overtaken.isEmpty ? 0 : overtaken[identity]?.count ?? 0)
    }

    func isKnownToRun(_ index: RequestIndex, _ identity: Int64) -> Bool {
        runningByIdentity[identity] == index || overtaken[identity]?.contains(index) ?? false
    }

    /// The request runs from now on, as the last one of its identity.
    mutating func noteRunning(_ index: RequestIndex, _ identity: Int64) {
        if let older = runningByIdentity[identity] {
            requests[older].flags.insert(.overtaken)
            overtaken[identity, default: []].append(older)
        }
        runningByIdentity[identity] = index
    }

    /// The request runs no more.
    mutating func noteEnded(_ index: RequestIndex, _ identity: Int64) {
        guard !overtaken.isEmpty, var others = overtaken[identity] else {
            runningByIdentity[identity] = nil
            return
        }
        if runningByIdentity[identity] == index {
            runningByIdentity[identity] = others.removeLast()
        } else {
            others.removeAll { $0 == index }
        }
        overtaken[identity] = others.isEmpty ? nil : others
    }
}
