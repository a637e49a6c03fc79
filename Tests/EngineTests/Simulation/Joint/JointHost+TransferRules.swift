import Engine
import Record
import Scheduling
import TaskModel
import TestSupport
import Transfers

// What may become of transfers, from their description; and how they come back from the record.
extension JointHost {
    func mayBegin(_ id: Int64) throws {
        guard let transfer = outside.transfers[id], let session = outside.sessions[transfer.session] else { return }
        try expect(!transfer.isUnderWay, "two attempts of one transfer continue")
        try expect(transfer.end == nil && transfer.decided == nil, "a transfer begins that has ended")
        try expect(!transfer.asks && !transfer.isHeld, "a transfer begins that waits for an answer or is held")
        try expect(transfer.new.state != .suspended, "a transfer begins that is suspended")
        let isAsked =
            transfer.new.request.earliest == nil || transfer.wasAsked || transfer.new.progress.attempts > 0
            || !session.new.sendsLaunchEvents
        try expect(isAsked, "a transfer begins before its date")
        try expect(gate(transfer, session) == nil, "a transfer begins against the conditions")
        try expect(toldSpace == .max || toldSpace >= outside.limits.diskFloor, "a transfer begins on a full disk")
        let others = outside.transfers.values.filter { $0.id != id && $0.isUnderWay && !$0.isWhole }
        try expect(others.count < outside.limits.concurrency, "too many transfers continue")
        let siblings = others.filter { outside.sessions[$0.session]?.application == session.application }
        try expect(siblings.count < outside.limits.perApplication, "too many transfers of one application continue")
        let route = others.filter { $0.session == session.id && $0.new.request.url == transfer.new.request.url }
        let bound = min(Int(session.new.connectionsPerHost), outside.limits.perHost)
        try expect(route.count < max(1, bound), "too many connections to one host")
    }

    private func gate(_ transfer: JointTransfer, _ session: JointSession) -> TransferWait? {
        let conditions = toldConditions
        let isDiscretionary = session.new.isDiscretionary || transfer.new.isFromBackground
        guard conditions.network >= .constrained else { return .network }
        if (isDiscretionary || !session.new.allowsExpensive) && conditions.network != .ok { return .unmeteredNetwork }
        guard isDiscretionary else { return nil }
        if conditions.externalPower != .yes { return .power }
        if conditions.windowClosed == .yes { return .window }
        return conditions.lowPowerMode == .yes ? .lowPower : nil
    }

    func mayWake(_ session: JointSession) throws {
        let standing = Self.standing(engine.state(of: session.application))
        try expect(standing != .foreground, "an application is woken that is in front")
        try expect(session.new.sendsLaunchEvents, "an application is woken that asked for no launch events")
        try expect(!outside.isQuit.contains(session.application), "an application is woken that the user has quit")
        let isWanted = outside.wanted[session.application]?.contains(session.id) == true
        try expect(!isWanted && session.isHandled == nil, "an application is woken twice")
    }

    func mayTell(_ id: Int64, _ session: JointSession) throws {
        guard let end = outside.transfers[id]?.end, let kept = kept.keptTransfers[id]?.end else {
            return try expect(false, "the end of \(id) is reported, and the record has none")
        }
        try expect(kept.order == end.order && kept.error == end.error, "another end is reported than the record has")
        try expect(!outside.delivered.contains(id), "an end is reported that was acknowledged")
        if let before = outside.told[id] {
            try expect(before == kept, "another end of \(id) is reported than before")
            count.transfers.again += 1
        }
        outside.told[id] = kept
        count.transfers.told += 1
        let earlier = session.ends.prefix { $0 != id }.compactMap { outside.transfers[$0]?.end?.order }
        try expect(earlier.allSatisfy { $0 < end.order }, "ends are reported out of their order")
        let isQuit = outside.isQuit.subtracting(outside.isLaunched).contains(session.application)
        try expect(!isQuit, "an application learns about what it did before it was quit")
        let isToldToHandle = session.isHandled == session.opener || session.isOwnWish
        let isBehind = Self.standing(engine.state(of: session.application)) == .background
        try expect(
            !queue.awaitsHandling(session.handle) || isToldToHandle || !isBehind,
            "events come before those of its session are announced")
    }

    /// After every turn.
    func inspectTransfers() throws {
        let underWay = outside.transfers.values.filter(\.isUnderWay)
        try expect(
            queue.counts.running == underWay.count, "\(queue.counts.running) transfers run, not \(underWay.count)")
        for transfer in underWay where transfer.isHeld || transfer.new.state == .suspended {
            try expect(
                transfer.phase == .stopping || transfer.isWhole || transfer.decided != nil,
                "a transfer that is suspended continues")
        }
        for session in outside.sessions.values where queue.awaitsHandling(session.handle) {
            let isWanted = outside.wanted[session.application]?.contains(session.id) == true
            let isHandled = session.isHandled.map { workers[$0] != nil } ?? false
            try expect(isWanted || isHandled || isStopping, "no process handles the events of session \(session.id)")
        }
        guard count.turns % 8 == 0 else { return }
        for id in outside.promised {
            let isThere = outside.transfers[id] != nil || kept.keptTransfers[id]?.state == .delivered
            let isBeingDelivered = kept.keptTransfers[id] != nil
            try expect(isThere || isBeingDelivered, "\(id) is lost")
        }
    }

    // MARK: The record

    /// Takes up what the record holds, as the host does it.
    func restoreTransfers() throws {
        for id in outside.promised { try expect(kept.keptTransfers[id] != nil, "\(id) is lost with its host") }
        outside.transfers.removeAll()
        outside.byHandle.removeAll()
        outside.sessions.removeAll()
        outside.bySession.removeAll()
        outside.wanted.removeAll()
        outside.handling.removeAll()
        outside.leaving.removeAll()
        queue = TransferQueue(limits: outside.limits)
        outside.lastID = try kept.transferNumbers().transfer
        outside.lastOrder = try kept.transferNumbers().order
        for stored in try kept.sessions() { restore(stored) }
        let rows = kept.keptTransfers.values.filter { $0.state != .delivered }
        for row in rows.sorted(by: { $0.id < $1.id }) { try restore(row) }
        for session in outside.sessions.values {
            let own = session.ends.sorted {
                outside.transfers[$0]?.end?.order ?? 0 < outside.transfers[$1]?.end?.order ?? 0
            }
            outside.sessions[session.id]?.ends = own
        }
        // What a user quit while the host lived stays so, unless that host did not live to write it.
        let quit = world.applications.indices.filter { scheduler.memory(of: $0).isForceQuit }
        try expect(outside.quitForGood.isSubset(of: quit), "a host forgets who was quit")
        outside.isQuit.formIntersection(quit)
        for application in quit {
            ask { $0.quit(application, at: $1) }
        }
        try tellConditions()
        ask { $0.begin(at: $1) }
        try settleTransfers()
        agenda.add(.transfer(.loss), at: now.instant + fortune.span(.minutes(1), .minutes(3 * 24 * 60)))
    }

    /// The space first, as far as the policy knows; then the rest.
    func tellConditions() throws {
        let conditions = conditions
        toldSpace = Int64(clamping: conditions.freeSpace)
        ask { $0.setFreeSpace(toldSpace, at: $1) }
        try settleTransfers()
        toldConditions = conditions
        ask { $0.setConditions(conditions, at: $1) }
        try settleTransfers()
    }

    private func restore(_ stored: StoredSession) {
        let application = ApplicationIndex(number: UInt32(stored.id / 4 - 1))
        var new = NewSession(application: application)
        new.isDiscretionary = stored.options.isDiscretionary
        new.sendsLaunchEvents = stored.options.sendsLaunchEvents
        new.allowsExpensive = stored.options.allowsExpensive
        new.connectionsPerHost = stored.options.connectionsPerHost
        new.resourceTimeout = stored.options.resourceTimeout
        new.awaitsHandling = stored.awaitsHandling
        var session = JointSession(id: stored.id, application: application, new: new, handle: queue.addSession(new))
        session.next = stored.next
        session.awaitsHandling = stored.awaitsHandling
        take(session)
    }

    private func restore(_ stored: BackgroundTransfer) throws {
        guard let session = outside.sessions[stored.session] else { return }
        try expect(!outside.delivered.contains(stored.id), "\(stored.id) is there again, and was delivered")
        guard let handle = ask({ $0.add(stored, to: session.handle, at: $1) }) else { return }
        let age = TimeSpan(nanoseconds: now.time.nanoseconds - stored.created.nanoseconds)
        let left = max(.zero, min(session.new.resourceTimeout, session.new.resourceTimeout - age))
        var transfer = JointTransfer(new: stored, handle: handle, expires: now.instant + left)
        transfer.end = stored.end
        take(transfer)
        if stored.end != nil { outside.sessions[session.id]?.ends.append(stored.id) }
        if stored.isHeld {
            outside.transfers[stored.id]?.isHeld = true
            ask { $0.hold(handle, at: $1) }
        }
    }
}

// The end of it all.
extension JointHost {
    /// Users open every application again and again, and nothing fails now: the end of every transfer is reported.
    func settleEverything() throws {
        isCalm = true
        world.malice = 0
        try restart(isReboot: false)
        let end = now.instant + .minutes(12 * 24 * 60)
        agenda.removeAll { happening in
            switch happening {
            case .submission, .request, .person, .pause, .conditions, .change, .clockJump, .reload, .famine,
                .transfer(.loss):
                true
            default: false
            }
        }
        famine = nil
        try resumeAll()
        conditions = .quiet
        scheduler.setConditions(conditions, at: now)
        try settle(.time)
        try tellConditions()
        try settleFleet()
        while !outside.transfers.isEmpty {
            try expect(now.instant < end, "the ends of \(outside.transfers.count) transfers are never reported")
            for application in world.applications.indices {
                opens(application)
                scheduler.open(application: application, at: now)
                try settle(.time)
                feed(.foreground(application: application, true))
                agenda.add(.leaving(application: application), at: now.instant + .minutes(10))
            }
            let next = now.instant + .minutes(6 * 60)
            while nextWake < next { try turn() }
            if nextWake >= next { agenda.add(.change, at: next) }
            try turn()
        }
    }
}
