import Engine
import Linux
import Record
import Scheduling
import Store
import TaskModel

// What the scheduler decides becomes runs, and what becomes of runs goes back to it.
extension Host {
    /// Carries decisions out and tells the scheduler of ended runs and of applications' states, until nothing is left. Before
    /// the commit: what follows from an end belongs to the same transaction.
    func settleDecisions() {
        var next = 0
        while true {
            if next < requests.decisions.count {
                carryOut(requests.decisions[next])
                next += 1
            } else if requests.scanned < actions.count {
                if case .finish(let run) = actions[requests.scanned] { tellEnd(of: run) }
                requests.scanned += 1
            } else if let change = engine.takeStateChange() {
                scheduler.setState(change.state, application: change.application, at: now, into: &requests.decisions)
                audience?.application(Int(change.application), isIn: change.state, in: self)
            } else if tellRenewal() {
                continue
            } else {
                break
            }
        }
        requests.decisions.removeAll(keepingCapacity: true)
    }

    /// Tells the scheduler of an application whose process is of an earlier revision, or is so no more. False: there is no news.
    ///
    /// Not inlined: Swift 6.3's optimiser then merges its access to the engine with the one of `settleDecisions`, and does not
    /// end that at every turn of the loop, which traps. To be removed when it no longer does.
    @inline(never)
    func tellRenewal() -> Bool {
        guard let change = engine.takeRenewal() else { return false }
        scheduler.setOutdated(change.isOutdated, application: change.application, at: now, into: &requests.decisions)
        return true
    }

    private func carryOut(_ decision: Decision) {
        switch decision {
        case .remember(let request): requests.writes.append(.put(request))
        case .forget(let identity, let submitted):
            let key = RequestKey(identity: identity, submitted: submitted)
            requests.extras[key] = nil
            requests.writes.append(.forget(key))
        case .start(let request, let launch): start(request, launch: launch)
        case .expire(let request, let reason):
            guard let run = requests.runs[request] else { return }
            engine.handle(.expired(run, reason), at: now, into: &actions)
        case .terminate(let application, let reason):
            engine.handle(.terminateApplication(application: application, reason), at: now, into: &actions)
        case .rememberApplication(let application): requests.writes.append(.application(application))
        case .starved(let request): noteShortage(of: request)
        case .quarantined(let application, let until):
            note(
                .quarantined, applications[Int(application)].definition.identifier,
                "it crashed again and again; in quarantine until \(until.iso8601)")
        }
    }

    private func start(_ request: RequestHandle, launch: UInt32) {
        guard let view = scheduler.request(request) else { return }
        let key = RequestKey(view)
        let kept = requests.extras[key]
        let definition = tasks[Int(view.request.task)].definition
        let scheduled = view.request.terms.origin == .schedule ? definition.schedule?.payload : nil
        let extra = RunExtra(
            payload: kept?.payload ?? scheduled.map { Array($0.utf8) } ?? [], observer: nil, request: request,
            identity: view.request.identity,
            identifier: kept?.identifier, title: kept?.title ?? "", subtitle: kept?.subtitle ?? "",
            waits: scheduler.waits(of: request, at: now), origin: view.request.terms.origin)
        guard
            let run = admit(
                view.request.task, attempt: view.request.attempt, launch: launch,
                isOnPower: view.request.terms.requiresExternalPower, extra: extra)
        else { return }
        requests.runs[request] = run
        if let slot = engine.run(run) { requests.writes.append(.running(key, sequence: slot.sequence)) }
    }

    /// The run has its outcome: its request is done, or is to be tried again.
    private func tellEnd(of run: RunHandle) {
        guard let slot = engine.run(run), let outcome = slot.outcome else { return }
        let application = engine.application(of: slot.task)
        if let request = extras[Int(run.index)].request {
            requests.runs[request] = nil
            let end = RequestEnd(
                outcome: outcome, reason: slot.reason, cpuTime: slot.cpuTime, shortage: slot.shortage,
                hasStarted: slot.started != nil, isHung: slot.isHung)
            scheduler.ended(request, end, at: now, into: &requests.decisions)
            if slot.shortage != nil { tellReturn(of: request, run) }
            return
        }
        if let used = slot.cpuTime {
            scheduler.charge(application: application, cpuTime: used, at: now, into: &requests.decisions)
        }
        if outcome == .crashed || outcome == .exited || slot.isHung {
            scheduler.crashed(application: application, at: now, into: &requests.decisions)
        }
    }

    /// Writes what the turn decided about requests.
    func rememberRequests() throws(StoreError) {
        guard !requests.writes.isEmpty else { return }
        for write in requests.writes {
            switch write {
            case .put(let request): try put(request)
            case .running(let key, let sequence):
                try store.markRequestRunning(identity: key.identity, submitted: key.submitted, sequence: sequence)
            case .forget(let key): try store.forgetRequest(identity: key.identity, submitted: key.submitted)
            case .application(let application):
                try store.putApplication(applicationRows[Int(application)], scheduler.memory(of: application))
            case .journal(let kind, let subject, let text):
                try store.journal(kind: kind, subject: subject, text: text, at: now.time)
            case .device(let values): try store.putDevice(values, at: now.time)
            case .override(let name, let value): try store.setOverride(name, value)
            case .clearOverrides: try store.clearOverrides()
            }
        }
        requests.writes.removeAll(keepingCapacity: true)
    }

    private func put(_ request: RequestHandle) throws(StoreError) {
        // Gone again in the same turn: its row was never needed.
        guard let view = scheduler.request(request) else { return }
        let kept = requests.extras[RequestKey(view)]
        var stored = StoredRequest(
            identity: view.request.identity, kind: view.request.kind, terms: view.request.terms,
            submitted: view.request.submitted)
        stored.attempt = view.request.attempt
        stored.failures = view.failures
        // A host that starts anew does not lack what this one lacked.
        stored.notBefore = view.shortage == nil ? view.notBefore : nil
        stored.scheduledFor = view.request.scheduledFor
        if let kept {
            stored.title = kept.title
            stored.subtitle = kept.subtitle
            stored.payload = kept.payload
            stored.leftOut = kept.leftOut
        }
        try store.putRequest(stored)
    }

    /// Puts a line into the journal with this turn's commit, and tells whoever listens.
    func note(_ kind: JournalKind, _ subject: String, _ text: String) {
        requests.writes.append(.journal(kind, subject: subject, text: text))
        audience?.journal(kind.name, subject: subject, text: text, in: self)
    }
}
