import Engine
import Record
import TaskModel
import TestSupport
import Transfers

// Sessions: their processes, and how these are woken.
extension JointHost {
    func take(_ happening: TransferHappening) throws {
        try passStates()
        switch happening {
        case .opening(let worker, let isAsked): open(worker, isAsked)
        case .wishes(let worker): try wish(worker)
        case .acknowledgement(let worker, let transfer):
            guard isListening(worker) else { return again(.acknowledgement(worker, transfer: transfer), worker) }
            acknowledge(worker, transfer)
        case .answer(let worker, let transfer):
            guard isListening(worker) else { return again(.answer(worker, transfer: transfer), worker) }
            answer(worker, transfer)
        case .handled(let worker, let session): handled(worker, session)
        case .report(let transfer, let attempt): try report(transfer, attempt)
        case .loss:
            try loseProcess()
            agenda.add(.transfer(.loss), at: now.instant + fortune.span(.minutes(1), .minutes(3 * 24 * 60)))
        }
        try settleTransfers()
    }

    /// A frozen one does it when it continues.
    private func again(_ happening: TransferHappening, _ worker: WorkerHandle) {
        guard let known = workers[worker], known.isFrozen, !known.isGone, !known.isKilled else { return }
        agenda.add(.transfer(happening), at: now.instant + .minutes(1))
    }

    private func isListening(_ worker: WorkerHandle) -> Bool {
        workers[worker].map { $0.isReady && !$0.isGone && !$0.isKilled && !$0.isFrozen } ?? false
    }

    // MARK: Processes

    private func open(_ worker: WorkerHandle, _ isAsked: Bool) {
        guard isListening(worker), !outside.leaving.contains(worker),
            let application = workers[worker]?.application
        else { return }
        for number in 0..<world.applications[application].sessions {
            let known = outside.sessions.values.first { $0.application == application && $0.id % 4 == Int64(number) }
            let id = known?.id ?? Int64(application.number) * 4 + Int64(number) + 4
            if let opener = known?.opener, workers[opener]?.isGone == false { continue }
            if known == nil { addSession(id, of: application) }
            guard let session = outside.sessions[id] else { continue }
            note("\(worker) opens session \(id)")
            outside.sessions[id]?.opener = worker
            outside.sessions[id]?.isOwnWish = !isAsked
            outside.sessions[id]?.told = 0
            for transfer in outside.transfers.values where transfer.session == id {
                outside.transfers[transfer.id]?.isAskTold = false
            }
            ask { $0.open(session.handle, at: $1) }
            effects.append(.talk(session: id))
        }
        if fortune.chance(0.5) { agenda.add(.transfer(.wishes(worker)), at: now.instant + .milliseconds(10)) }
    }

    private func addSession(_ id: Int64, of application: ApplicationIndex) {
        var new = NewSession(application: application)
        new.isDiscretionary = fortune.chance(0.3)
        new.sendsLaunchEvents = fortune.chance(0.85)
        new.allowsExpensive = fortune.chance(0.8)
        new.connectionsPerHost = UInt16.random(in: 1...4, using: &fortune)
        new.resourceTimeout = .seconds(Int64.random(in: 10_000...600_000, using: &fortune))
        take(JointSession(id: id, application: application, new: new, handle: queue.addSession(new)))
        writes.append(.session(stored(id)))
    }

    func take(_ session: JointSession) {
        outside.sessions[session.id] = session
        outside.bySession[session.handle] = session.id
        let standing = Self.standing(engine.state(of: session.application))
        ask { $0.setStanding(of: session.application, standing, at: $1) }
    }

    func stored(_ id: Int64) -> StoredSession {
        guard let session = outside.sessions[id] else { preconditionFailure("an unknown session is written") }
        var options = SessionOptions()
        options.isDiscretionary = session.new.isDiscretionary
        options.sendsLaunchEvents = session.new.sendsLaunchEvents
        options.allowsExpensive = session.new.allowsExpensive
        options.connectionsPerHost = session.new.connectionsPerHost
        options.resourceTimeout = session.new.resourceTimeout
        return StoredSession(
            id: id, application: "com.example.\(session.application.number)", identifier: "\(id)", options: options,
            next: session.next, awaitsHandling: session.awaitsHandling)
    }

    /// The transfers that its application requests.
    private func wish(_ worker: WorkerHandle) throws {
        guard isListening(worker), !isStopping, !isCalm else { return }
        let own = outside.sessions.values.filter { $0.opener == worker }.sorted { $0.id < $1.id }
        guard let session = own.randomElement(using: &fortune) else { return }
        let isBehind = Self.standing(engine.state(of: session.application)) != .foreground
        if outside.transfers.count < 60 {
            for _ in 0..<Int.random(in: 1...3, using: &fortune) {
                make(in: session.id, isBehind)
                try settleTransfers()
            }
        }
        let mine = outside.transfers.values.filter { $0.session == session.id && $0.end == nil && $0.decided == nil }
        guard let one = mine.sorted(by: { $0.id < $1.id }).randomElement(using: &fortune) else { return }
        switch Int.random(in: 0..<8, using: &fortune) {
        case 0: ask { $0.cancel(one.handle, at: $1) }
        case 1, 2: setState(.suspended, of: one)
        case 3, 4: setState(.waiting, of: one)
        case 5: ask { $0.setPriority(one.handle, 1, at: $1) }
        // A user pauses it, or resumes it.
        case 6:
            outside.transfers[one.id]?.isHeld.toggle()
            writes.append(.transferHeld(one.id, !one.isHeld))
            if one.isHeld {
                ask { $0.release(one.handle, at: $1) }
            } else {
                ask { $0.hold(one.handle, at: $1) }
            }
        default: agenda.add(.transfer(.wishes(worker)), at: now.instant + fortune.span(.seconds(1), .minutes(5)))
        }
    }

    private func setState(_ state: TransferState, of one: JointTransfer) {
        outside.transfers[one.id]?.new.state = state
        writes.append(.transferState(one.id, state))
        if state == .suspended {
            ask { $0.suspend(one.handle, at: $1) }
        } else {
            ask { $0.resume(one.handle, at: $1) }
        }
    }

    private func make(in session: Int64, _ isBehind: Bool) {
        guard let known = outside.sessions[session] else { return }
        outside.lastID += 1
        let (id, number) = (outside.lastID, known.next)
        outside.sessions[session]?.next += 1
        var request = TransferRequest(
            kind: .download, url: "http://\(UInt32.random(in: 0..<2, using: &fortune))/", method: "GET")
        if fortune.chance(0.1) {
            request.earliest = now.time.advanced(by: fortune.span(.seconds(1), .minutes(24 * 60)))
        }
        if fortune.chance(0.3) { request.expectedReceive = Int64.random(in: 0...4, using: &fortune) << 28 }
        let new = BackgroundTransfer(
            id: id, session: session, of: "com.example.\(known.application.number)", "\(session)", number: number,
            created: now.time, request: request, isFromBackground: isBehind)
        guard let handle = ask({ $0.add(new, to: known.handle, at: $1) }) else { return }
        take(JointTransfer(new: new, handle: handle, expires: now.instant + known.new.resourceTimeout))
        count.transfers.made += 1
        writes.append(.transfer(new))
        effects.append(.made(id))
        if fortune.chance(0.9), let one = outside.transfers[id] { setState(.waiting, of: one) }
    }

    func take(_ transfer: JointTransfer) {
        outside.transfers[transfer.id] = transfer
        outside.byHandle[transfer.handle] = transfer.id
    }

    // MARK: What they say

    private func acknowledge(_ worker: WorkerHandle, _ id: Int64) {
        guard let transfer = outside.transfers[id], let session = outside.sessions[transfer.session],
            session.opener == worker, let place = session.ends.firstIndex(of: id), place < session.told
        else { return }
        writes.append(.transferDelivered(id))
        effects.append(.delivered(id))
        outside.sessions[session.id]?.ends.remove(at: place)
        outside.sessions[session.id]?.told -= 1
        outside.transfers[id] = nil
        outside.byHandle[transfer.handle] = nil
        ask { $0.told(transfer.handle, at: $1) }
    }

    private func answer(_ worker: WorkerHandle, _ id: Int64) {
        guard let transfer = outside.transfers[id], transfer.asks,
            outside.sessions[transfer.session]?.opener == worker
        else { return }
        outside.transfers[id]?.asks = false
        if fortune.chance(0.1) {
            ask { $0.cancel(transfer.handle, at: $1) }
        } else {
            ask { $0.applicationAnswered(transfer.handle, at: $1) }
        }
    }

    private func handled(_ worker: WorkerHandle, _ id: Int64) {
        guard isListening(worker), outside.sessions[id]?.isHandled == worker else { return }
        outside.sessions[id]?.awaitsHandling = false
        outside.sessions[id]?.isHandled = nil
        writes.append(.session(stored(id)))
        if let handle = outside.sessions[id]?.handle {
            ask { $0.eventsHandled(handle, inTime: true, at: $1) }
        }
        outside.handling[worker]?.remove(id)
        guard outside.handling[worker]?.isEmpty == true else { return }
        outside.handling[worker] = nil
        feed(.sessionsHandled(worker))
    }

    // MARK: Waking

    func wake(_ handle: SessionHandle) throws {
        guard let id = outside.bySession[handle], let session = outside.sessions[id] else {
            return try expect(false, "an unknown session is woken")
        }
        try mayWake(session)
        count.transfers.wakes += 1
        outside.sessions[id]?.awaitsHandling = true
        writes.append(.session(stored(id)))
        outside.wanted[session.application, default: []].append(id)
        feed(.sessionEvents(application: session.application))
    }

    /// The engine has it notified; the record has that it is to handle them.
    func tellSessions(_ worker: WorkerHandle) throws {
        guard let known = workers[worker], !known.isGone else { return }
        try expect(known.isReady && !known.isFrozen, "a process gets events while it comes, or is frozen")
        for id in outside.wanted.removeValue(forKey: known.application) ?? [] {
            outside.sessions[id]?.isHandled = worker
            outside.handling[worker, default: []].insert(id)
            effects.append(.talk(session: id))
            guard !fortune.chance(world.malice / 2) else { continue }
            let isLate = fortune.chance(0.05)
            let span = isLate ? TimeSpan.seconds(40) : fortune.span(.milliseconds(100), .seconds(25))
            count.transfers.late += isLate ? 1 : 0
            agenda.add(.transfer(.handled(worker, session: id)), at: now.instant + span)
        }
        agenda.add(.transfer(.opening(worker, isAsked: true)), at: now.instant + .milliseconds(1))
        if outside.handling[worker] == nil { feed(.sessionsHandled(worker)) }
    }

    /// Nothing is left of the worker.
    func forgetSessions(of worker: WorkerHandle, _ application: ApplicationIndex) throws {
        for session in outside.sessions.values.sorted(by: { $0.id < $1.id }) where session.opener == worker {
            outside.sessions[session.id]?.opener = nil
            ask { $0.close(session.handle, at: $1) }
        }
        var missed = (outside.handling.removeValue(forKey: worker) ?? []).sorted()
        for id in missed { outside.sessions[id]?.isHandled = nil }
        if engine.state(of: application) == .notRunning, !engine.awaitsSessions(application) {
            missed += outside.wanted.removeValue(forKey: application) ?? []
        }
        for id in missed {
            guard let handle = outside.sessions[id]?.handle else { continue }
            ask { $0.eventsHandled(handle, inTime: false, at: $1) }
        }
        try settleTransfers()
    }

    static func standing(_ state: ApplicationState) -> TransferStanding {
        switch state {
        case .active, .inactive: .foreground
        case .background: .background
        case .suspended: .suspended
        case .notRunning: .notRunning
        }
    }

    func stand(_ application: ApplicationIndex, _ state: ApplicationState) throws {
        let standing = Self.standing(state)
        ask { $0.setStanding(of: application, standing, at: $1) }
        if standing == .foreground || standing == .background {
            for session in outside.sessions.values where session.application == application {
                effects.append(.talk(session: session.id))
            }
        }
        try settleTransfers()
    }

    /// A user quits the application: all of its transfers end, and it learns that when a user opens it.
    func quitTransfers(of application: ApplicationIndex) throws {
        let own = outside.sessions.values.filter { $0.application == application }.sorted { $0.id < $1.id }
        outside.isQuit.insert(application)
        outside.isLaunched.remove(application)
        effects.append(.quit(application))
        for (worker, known) in workers where known.application == application { outside.leaving.insert(worker) }
        outside.wanted[application] = nil
        for session in own where session.opener != nil {
            outside.sessions[session.id]?.opener = nil
            ask { $0.close(session.handle, at: $1) }
        }
        for session in own where session.awaitsHandling {
            outside.sessions[session.id]?.awaitsHandling = false
            writes.append(.session(stored(session.id)))
        }
        ask { $0.quit(application, at: $1) }
        try settleTransfers()
        count.transfers.quits += own.isEmpty ? 0 : 1
        let isOver = outside.transfers.values.allSatisfy { one in
            !own.contains { $0.id == one.session } || one.end != nil || one.decided != nil
        }
        try expect(isOver, "something continues of an application that was quit")
    }
}
