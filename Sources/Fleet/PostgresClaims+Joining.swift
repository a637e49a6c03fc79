import Record
import TaskModel

// A host's life in its fleet: it joins, shows that it lives, and looks after the tables.
extension PostgresClaims {
    func join() {
        duty.ask(FleetStatement.limits) { _ in }
        duty.ask(FleetStatement.version) { [unowned self] answer in
            if let fault = FleetSchema.fault(of: answer, at: place) { return duty.close(fault) }
            if host != nil { return reach() }
            duty.ask(FleetStatement.join(member)) { [unowned self] answer in
                switch answer {
                case .rows(let rows):
                    host = rows.first?.first ?? nil
                    reach()
                case .refused(let fault): duty.close(fault.message)
                }
            }
        }
    }

    func reach() {
        guard host != nil else { return duty.close("the database gave this host no number") }
        isReached = true
        nextSign = now
        nextKeep = now + .minutes(1)
        report(nil)
        tell(.reached)
        look()
    }

    func lose(_ words: String) {
        report(words)
        (nextSign, nextKeep) = (.distantFuture, .distantFuture)
        saidWaiting = false
        unansweredEnds = 0
        guard isReached else { return }
        isReached = false
        tell(.outOfReach)
    }

    /// It wants to be woken for requests.
    var waits: Bool { isListening && wish.most > 0 }

    /// It lives: others see so, and what it wants to be woken for.
    func sign() {
        nextSign = now + TimeSpan(nanoseconds: member.lease.nanoseconds / 2)
        guard let host else { return }
        let isNew = waits && !saidWaiting
        saidWaiting = waits
        ask(FleetStatement.seen(host, standing(), waits: saidWaiting)) { [unowned self] answer in
            guard case .refused(let fault) = answer else {
                lookAtRollouts(answer.rows?.first?.first ?? nil, host)
                // What came before the database knew of it woke nobody.
                return isNew ? look() : ()
            }
            // The database has been set back, or another one took over that had not heard of this life yet.
            if StatementFault.strangers.contains(fault.code) { self.host = nil }
            duty.close(fault.message)
        }
    }

    /// Manifests are asked for when there has been a change since the last time. They may be large: leases do not wait for them.
    ///
    /// - Parameter number: of changes.
    private func lookAtRollouts(_ number: String?, _ host: String) {
        guard let rolledOut, number != knownRollouts || rolloutsAgain <= now else { return }
        search.ask(FleetStatement.rollouts(host)) { [unowned self] answer in
            guard let rows = answer.rows else { return }
            knownRollouts = number
            let isTaken = rolledOut(rows.prefix(FleetManifest.most).compactMap(FleetManifest.init))
            rolloutsAgain = isTaken ? .distantFuture : now + Self.rolloutPause
            // Others see what the host has now.
            nextSign = min(nextSign, now + .seconds(1))
        }
    }

    /// The database is kept small, by whichever host comes first.
    func keep() {
        nextKeep = now + TimeSpan(nanoseconds: Int64.random(in: Self.care.nanoseconds / 2...Self.care.nanoseconds))
        ask(FleetStatement.keep) { [unowned self] answer in
            if case .rows(let rows) = answer, rows.first?.first?.flatMap({ Int($0) }) ?? 0 >= Self.muchToKeep {
                nextKeep = now + .seconds(1)
            }
        }
    }
}
