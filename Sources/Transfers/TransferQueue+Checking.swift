import TaskModel

// What holds after every call, whatever came before. Tests, simulations and hosts of a debug build ask after each event.
extension TransferQueue {
    /// The first rule that does not hold, as a clause; nil: all do. Takes time for everything that there is.
    package func check() -> String? {
        var sums = Sums()
        for index in transfers.indices where transfers.isTaken(index) {
            if let fault = fault(of: index, &sums) { return "transfer \(index.number): \(fault)" }
        }
        for session in sessions.indices where sessions.isTaken(session) {
            if let fault = fault(of: session, &sums) { return "session \(session.number): \(fault)" }
        }
        return fault(in: sums)
    }

    /// What transfers add up to.
    private struct Sums {
        var places: [TransferSlot.Place: Int] = [:]
        var going = SIMD8<UInt32>(repeating: 0)
        var open = 0
        var untold = 0
        var reserved: Int64 = 0
        var timeouts = 0
        var cutOff = 0
        var yielded = 0
        var sessions: [SessionIndex: (going: UInt32, asking: UInt32, untold: UInt32, members: Int)] = [:]
        var delayed: [ApplicationIndex: Int] = [:]
        var running: [ApplicationIndex: Int] = [:]
        var handling: [ApplicationIndex: UInt32] = [:]
    }

    private func fault(of index: TransferIndex, _ sums: inout Sums) -> String? {
        let slot = transfers[index]
        guard sessions.isTaken(slot.session) else { return "its session is gone" }
        let application = sessions[slot.session].options.application
        sums.places[slot.place, default: 0] += 1
        sums.sessions[slot.session, default: (0, 0, 0, 0)].members += 1
        if slot.isOpen { sums.open += 1 } else { sums.untold += 1 }
        if slot.isGoing {
            sums.going[Int(group(of: slot).rawValue)] += 1
            sums.sessions[slot.session]?.going += 1
        }
        if slot.asks { sums.sessions[slot.session]?.asking += 1 }
        if !slot.isOpen { sums.sessions[slot.session]?.untold += 1 }
        if slot.place == .running {
            sums.reserved += slot.reserve
            sums.running[application, default: 0] += 1
        }
        if timeouts[index] != nil { sums.timeouts += 1 }
        if slot.flags.contains(.cutOff) { sums.cutOff += 1 }
        if slot.flags.contains(.yielded) { sums.yielded += 1 }
        if slot.flags.contains(.delayed) { sums.delayed[application, default: 0] += 1 }
        if (dates[index] != nil) != (slot.place == .dated) { return "a date, and it is \(slot.place)" }
        if (pauses[index] != nil) != (slot.place == .paused) { return "a pause, and it is \(slot.place)" }
        if (cramped[index] != nil) != (slot.place == .cramped) { return "a need, and it is \(slot.place)" }
        if (timeouts[index] != nil) != (slot.place < .ending) { return "a time limit, and it is \(slot.place)" }
        if slot.place != .paused, !slot.flags.isDisjoint(with: [.cutOff, .delayed, .yielded]) {
            return "paused without a pause"
        }
        if slot.place != .running, !slot.flags.isDisjoint(with: [.stopping, .yielding]) {
            return "stopping, and it is \(slot.place)"
        }
        let isBarred = !slot.flags.isDisjoint(with: [.suspended, .held]) || applications[application].isMissing
        if isBarred, slot.place == .running, !slot.flags.contains(.stopping) { return "it may not run, and does" }
        if !isBarred, slot.place == .parked { return "nothing would ever begin it" }
        return nil
    }

    private func fault(of index: SessionIndex, _ sums: inout Sums) -> String? {
        let session = sessions[index]
        let sum = sums.sessions[index] ?? (0, 0, 0, 0)
        if session.awaitsHandling { sums.handling[session.options.application, default: 0] += 1 }
        if session.members.count != sum.members { return "\(sum.members) transfers name it, it has others" }
        if session.going != sum.going { return "\(sum.going) go, it counts \(session.going)" }
        if session.asking != sum.asking { return "\(sum.asking) ask, it counts \(session.asking)" }
        if session.untold != sum.untold { return "\(sum.untold) are untold, it counts \(session.untold)" }
        return nil
    }

    private func fault(in sums: Sums) -> String? {
        if open != sums.open || untold != sums.untold { return "open or untold ones are miscounted" }
        if going != sums.going { return "classes are miscounted" }
        if reserved != sums.reserved { return "\(reserved) bytes are reserved, and \(sums.reserved) needed" }
        if running.count != sums.places[.running] ?? 0 { return "running ones are miscounted" }
        if saving.count != sums.places[.saving] ?? 0 { return "those being synced are miscounted" }
        if yielded.count != sums.yielded { return "those that gave their place up are miscounted" }
        if cutOff.count != sums.cutOff { return "those that are cut off are miscounted" }
        // A heap has nobody who is gone.
        if dates.count != sums.places[.dated] ?? 0 || pauses.count != sums.places[.paused] ?? 0
            || cramped.count != sums.places[.cramped] ?? 0 || timeouts.count != sums.timeouts
        {
            return "a heap has a stranger"
        }
        for application in applications.indices {
            if ready.running(of: application) != sums.running[application] ?? 0 {
                return "application \(application.number): its running ones are miscounted"
            }
            if ready.running(of: application) > limits.share {
                return "application \(application.number): it has more than its share"
            }
            if applications[application].delayed.count != sums.delayed[application] ?? 0 {
                return "application \(application.number): its delayed ones are miscounted"
            }
            if applications[application].handling != sums.handling[application] ?? 0 {
                return "application \(application.number): the sessions that it handles are miscounted"
            }
        }
        return running.count > limits.concurrency ? "\(running.count) run" : nil
    }
}
