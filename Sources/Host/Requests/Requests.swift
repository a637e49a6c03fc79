import Engine
import Manifests
import Scheduling
import Record
package import TaskModel

/// Requests: asked for by applications, by people and by schedules. Thread: the loop's.
package final class Requests {
    /// What belongs to requests beside what the scheduler has.
    var extras: [RequestKey: RequestExtra] = [:]
    var orphans = OrphanTable()
    /// The runs of requests that go on.
    package private(set) var running: [RequestHandle: RunHandle] = [:]
    /// What the turn's commit has to write, in order.
    private var writes: [RequestWrite] = []
    /// Actions of the engine that were looked at for ends already.
    private var scanned = 0
    /// Time of the last submission: no two of one host are alike.
    private var lastSubmitted = Timestamp(nanoseconds: 0)
    /// Submissions under concrete identifiers of wildcards since unused identifiers were looked for.
    private var concreteIdentifiers = 0
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let runs: RunTable
    let device: Device
    let announcer: Announcer
    let isServed: Bool

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ runs: RunTable, _ device: Device,
        _ announcer: Announcer, isServed: Bool
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.runs = runs
        self.device = device
        self.announcer = announcer
        self.isServed = isServed
    }

    /// Begins to start what is pending and due, after what was pending has been restored.
    func begin() {
        // A daemon that never lives long would never count so far.
        concreteIdentifiers = Self.identifiersBetweenSweeps
        decider.scheduler.begin(at: decider.now, into: &decider.decisions)
        // Who only answers leaves it to a daemon to put schedules on record.
        if !decider.scheduler.startsByItself {
            decider.decisions.removeAll { decision in
                guard case .remember(let handle) = decision else { return false }
                return decider.scheduler.request(handle)?.request.terms.origin == .schedule
            }
        }
        settle()
    }

    // MARK: Submitting

    /// Takes a request. It is on disk when the turn's commit is; `Host.afterCommit` tells.
    ///
    /// - Parameters:
    ///   - application: whose code asks; nil: a person.
    ///   - kind: what the code asked for; nil: the manifest's kind.
    package func submit(
        _ identifier: String, application: ApplicationIndex?, kind: TaskKind?, terms: RequestTerms, title: String = "",
        subtitle: String = "", payload: [UInt8] = []
    ) throws(SubmissionFault) -> RequestHandle {
        guard let task = installed.permittedTask(identifier, of: application) else {
            throw notPermitted(identifier, application)
        }
        let definition = installed.tasks[task].definition
        if let kind, kind != definition.kind {
            throw SubmissionFault(
                .notPermitted,
                "the manifest says that \(identifier) is \(definition.kind.name), the request is for \(kind.name); submit "
                    + "the other kind of request, or change the manifest's kind")
        }
        let request = NewRequest(
            task: task, identity: try identity(of: identifier, task), kind: definition.kind, terms: terms,
            submitted: stamp(decider.now.time))
        device.look()
        let replaced = decider.scheduler.handle(identity: request.identity).flatMap(decider.scheduler.request).map {
            RequestKey($0)
        }
        let handle = try decider.scheduler.submit(request, at: decider.now, into: &decider.decisions)
        if let replaced { extras[replaced] = nil }
        // First: the request may start at once, and its run takes them along.
        if let view = decider.scheduler.request(handle) {
            keep(
                RequestExtra(identifier: identifier, title: title, subtitle: subtitle, payload: payload),
                for: RequestKey(view), definition)
        }
        settle()
        if terms.origin == .person {
            announcer.note(replaced == nil ? .requestSubmitted : .requestReplaced, identifier, "by a person")
        }
        announcer.audience?.requestChanged(replaced == nil ? "submitted" : "replaced", identifier)
        return handle
    }

    private func keep(_ extra: RequestExtra, for key: RequestKey, _ definition: TaskDefinition) {
        var extra = extra
        if extra.identifier == definition.identifier { extra.identifier = nil }
        if !extra.isEmpty { extras[key] = extra }
    }

    private func notPermitted(_ identifier: String, _ application: ApplicationIndex?) -> SubmissionFault {
        let concrete = IdentifierSyntax.concrete(identifier)
        if concrete != identifier, installed.permittedTask(concrete, of: application) != nil {
            return SubmissionFault(
                .notPermitted,
                "this is a wildcard; \(identifier); name one of the identifiers that it permits, for example \(concrete)"
            )
        }
        let near = installed.nearestTask(to: identifier, of: application).map { "; did you mean \($0)?" } ?? ""
        return SubmissionFault(
            .notPermitted, "no manifest permits \(identifier)\(near); add it to the tasks of the application's manifest"
        )
    }

    /// The number in the record that stands for the identifier.
    private func identity(of identifier: String, _ task: TaskIndex) throws(SubmissionFault) -> Int64 {
        guard installed.tasks[task].definition.identifier != identifier else {
            return installed.tasks[task].row
        }
        concreteIdentifiers += 1
        do throws(StoreError) {
            return try keeper.store.taskRow(
                identifier: identifier, application: installed.applicationName(of: task))
        } catch {
            // The turn's commit fails for the same reason and stops the host.
            throw SubmissionFault(.unavailable, "the request cannot be recorded; \(error)")
        }
    }

    /// Cancels what is pending under that identifier. Runs go on, and a time of its schedule stays.
    @discardableResult
    package func cancel(_ identifier: String, application: ApplicationIndex? = nil) -> Bool {
        guard let handle = pending(identifier, application: application),
            let view = decider.scheduler.request(handle)
        else { return application == nil && cancelOrphan(identifier) }
        guard decider.scheduler.cancel(identity: view.request.identity, at: decider.now, into: &decider.decisions)
        else {
            return false
        }
        tellCancelled(identifier)
        settle()
        return true
    }

    func tellCancelled(_ identifier: String) {
        announcer.note(.requestCancelled, identifier, "cancelled")
        announcer.audience?.requestChanged("cancelled", identifier)
    }

    /// Cancels what the application asked for. Its place.schedules are the manifest's, and stay.
    func cancelAll(of application: ApplicationIndex) {
        let identifiers = decider.scheduler.pending(application: application).compactMap { handle in
            decider.scheduler.request(handle)?.request.terms.origin == .schedule ? nil : identifier(of: handle)
        }
        decider.scheduler.cancelAll(application: application, at: decider.now, into: &decider.decisions)
        identifiers.forEach(tellCancelled)
        settle()
    }

    /// Cancels everything that is pending, as a person may. Times of place.schedules stay.
    package func cancelAll() -> Int {
        var cancelled = 0
        for handle in decider.scheduler.pending(application: nil) {
            if let identifier = identifier(of: handle), cancel(identifier) { cancelled += 1 }
        }
        let orphans = orphans.values.map(\.identifier)
        for identifier in orphans where cancelOrphan(identifier) { cancelled += 1 }
        return cancelled
    }

    /// The pending request of that identifier.
    package func pending(_ identifier: String, application: ApplicationIndex? = nil) -> RequestHandle? {
        guard let task = installed.permittedTask(identifier, of: application) else { return nil }
        guard installed.tasks[task].definition.identifier != identifier else {
            return decider.scheduler.handle(identity: installed.tasks[task].row)
        }
        // What was never recorded was never asked for; the commit fails for the same reason as this would.
        let row = try? keeper.store.knownTaskRow(
            identifier: identifier, application: installed.applicationName(of: task))
        return row.flatMap { decider.scheduler.handle(identity: $0) }
    }

    /// The concrete identifier of a request.
    package func identifier(of request: RequestHandle) -> String? {
        guard let view = decider.scheduler.request(request) else { return nil }
        return extra(of: view).identifier ?? installed.tasks[view.request.task].definition.identifier
    }

    func extra(of view: RequestView) -> RequestExtra { extras[RequestKey(view)] ?? RequestExtra() }

    // MARK: From the record

    /// Takes up what the record holds of the installed applications: pending requests, and conditions set by a person.
    func restore() throws(StoreError) {
        try keeper.reader.forEachRequest { stored in
            guard let task = installed.permittedTask(stored.identifier) else { return keepOrphan(stored) }
            restore(stored, of: task)
        }
    }

    /// Takes up the requests that waited for these tasks to come.
    func restoreOrphans(of added: [TaskIndex]) throws(StoreError) {
        guard !orphans.isEmpty, !added.isEmpty else { return }
        for task in added {
            let identifier = installed.tasks[task].definition.identifier
            let waiting =
                identifier.hasSuffix("*")
                ? orphans.values.filter { installed.permittedTask($0.identifier) == task }
                : orphans.named(identifier)
            for orphan in waiting {
                // Whole: an orphan's payload stays in the record.
                if let stored = try keeper.reader.waitingRequest(identity: orphan.identity) {
                    restore(stored, of: task)
                }
                orphans[orphan.identity] = nil
            }
        }
    }

    private func restore(_ stored: borrowing StoredRequest, of task: TaskIndex) {
        var request = NewRequest(
            task: task, identity: stored.identity, kind: stored.kind, terms: stored.terms, submitted: stored.submitted)
        request.attempt = stored.attempt
        request.scheduledFor = stored.scheduledFor
        _ = decider.scheduler.restore(request, failures: stored.failures, notBefore: stored.notBefore)
        keep(
            RequestExtra(
                identifier: stored.identifier, title: stored.title, subtitle: stored.subtitle,
                payload: stored.payload, leftOut: stored.leftOut),
            for: RequestKey(identity: stored.identity, submitted: stored.submitted),
            installed.tasks[task].definition)
    }

    // MARK: Decisions

    /// Carries decisions out and tells the scheduler of ended runs and of applications' states, until nothing is left. Before
    /// the commit: what follows from an end belongs to the same transaction.
    func settle() {
        var next = 0
        while true {
            if next < decider.decisions.count {
                carryOut(decider.decisions[next])
                next += 1
            } else if scanned < decider.actions.count {
                if case .finish(let run) = decider.actions[scanned] { tellEnd(of: run) }
                scanned += 1
            } else if let change = decider.engine.takeStateChange() {
                decider.scheduler.setState(
                    change.state, application: change.application, at: decider.now, into: &decider.decisions)
                announcer.audience?.application(change.application, isIn: change.state)
            } else if decider.passRenewals() {
                continue
            } else {
                break
            }
        }
        decider.decisions.removeAll(keepingCapacity: true)
    }

    private func carryOut(_ decision: Decision) {
        switch decision {
        case .remember(let request): writes.append(.put(request))
        case .forget(let identity, let submitted):
            let key = RequestKey(identity: identity, submitted: submitted)
            extras[key] = nil
            writes.append(.forget(key))
        case .start(let request, let launch): start(request, launch: launch)
        case .expire(let request, let reason):
            guard let run = running[request] else { return }
            decider.hear(.expired(run, reason))
        case .terminate(let application, let reason):
            decider.hear(.terminateApplication(application: application, reason))
        case .rememberApplication(let application): writes.append(.application(application))
        case .starved(let request): noteShortage(of: request)
        case .quarantined(let application, let until):
            announcer.note(
                .quarantined, installed.applications[application].definition.identifier,
                "it crashed again and again; in quarantine until \(until.iso8601)")
        }
    }

    private func start(_ request: RequestHandle, launch: UInt32) {
        guard let view = decider.scheduler.request(request) else { return }
        let key = RequestKey(view)
        let kept = extras[key]
        let definition = installed.tasks[view.request.task].definition
        let scheduled = view.request.terms.origin == .schedule ? definition.schedule?.payload : nil
        let context = RunContext(
            payload: kept?.payload ?? scheduled.map { Array($0.utf8) } ?? [], observer: nil, request: request,
            identity: view.request.identity,
            identifier: kept?.identifier, title: kept?.title ?? "", subtitle: kept?.subtitle ?? "",
            waits: decider.scheduler.waits(of: request, at: decider.now), origin: view.request.terms.origin)
        let run = runs.admit(
            view.request.task, attempt: view.request.attempt, launch: launch,
            isOnPower: view.request.terms.requiresExternalPower, context: context)
        running[request] = run
        if let slot = decider.engine.run(run) { writes.append(.running(key, slot.id)) }
    }

    /// The run has its outcome: its request is done, or is to be tried again.
    private func tellEnd(of run: RunHandle) {
        guard let slot = decider.engine.run(run), let outcome = slot.outcome else { return }
        let application = decider.engine.application(of: slot.task)
        // Before its request makes room for the next one.
        if outcome == .succeeded, let seen = runs[run].files { runs.files.remember(seen, of: slot.task) }
        if let request = runs[run].request {
            running[request] = nil
            let end = RequestEnd(
                outcome: outcome, reason: slot.reason, cpuTime: slot.cpuTime, shortage: slot.shortage,
                hasStarted: slot.started != nil, isHung: slot.isHung)
            decider.scheduler.ended(request, end, at: decider.now, into: &decider.decisions)
            if slot.shortage != nil { tellReturn(of: request, run) }
            return
        }
        if let used = slot.cpuTime {
            decider.scheduler.charge(application: application, cpuTime: used, at: decider.now, into: &decider.decisions)
        }
        if outcome == .crashed || outcome == .exited || slot.isHung {
            decider.scheduler.crashed(application: application, at: decider.now, into: &decider.decisions)
        }
    }

    // MARK: The turn's record

    /// Whether the turn has nothing to write of requests.
    var isEmpty: Bool { writes.isEmpty }

    /// The turn's actions were taken to be done.
    func actionsWereTaken() { scanned = 0 }

    /// Writes what the turn decided about requests.
    func write() {
        for write in writes {
            switch write {
            case .put(let request): put(request)
            case .running(let key, let run):
                keeper.write(.requestRunning(identity: key.identity, submitted: key.submitted, run: run))
            case .forget(let key):
                keeper.write(.requestForgotten(identity: key.identity, submitted: key.submitted))
            case .application(let application):
                keeper.write(
                    .application(
                        row: installed.row(of: application), decider.scheduler.memory(of: application)))
            }
        }
        writes.removeAll(keepingCapacity: true)
    }

    private func put(_ request: RequestHandle) {
        // Gone again in the same turn: its row was never needed.
        guard let view = decider.scheduler.request(request) else { return }
        let kept = extras[RequestKey(view)]
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
        keeper.write(.requestPut(stored))
    }

    /// Forgets the request's row with the turn's commit.
    func forget(_ key: RequestKey) { writes.append(.forget(key)) }

    // MARK: Identifiers

    /// Concrete identifiers of wildcards that are asked for before unused ones are looked for.
    private static let identifiersBetweenSweeps = 1000

    /// An application may ask under a new identifier each time, and for ever: what nobody names any more goes.
    func pruneIdentifiers() throws(StoreError) {
        guard concreteIdentifiers >= Self.identifiersBetweenSweeps else { return }
        concreteIdentifiers = 0
        let named = installed.tasks.count + decider.scheduler.pendingCount + decider.scheduler.runningCount
        guard try keeper.store.identifierCount() >= named + Self.identifiersBetweenSweeps else { return }
        var held = Set(installed.tasks.indices.map { installed.tasks[$0].row })
        held.formUnion(runs.identities)
        for handle in decider.scheduler.pending(application: nil) + running.keys {
            if let view = decider.scheduler.request(handle) { held.insert(view.request.identity) }
        }
        keeper.write(.identifiersPruned(except: held))
    }

    /// A time for a new submission.
    private func stamp(_ now: Timestamp) -> Timestamp {
        lastSubmitted = now == lastSubmitted ? Timestamp(nanoseconds: now.nanoseconds + 1) : now
        return lastSubmitted
    }

    /// Starts the pending request whatever holds it.
    package func simulateLaunch(_ request: RequestHandle) -> Bool {
        guard let view = decider.scheduler.request(request),
            decider.scheduler.simulateLaunch(
                identity: view.request.identity, at: decider.now, into: &decider.decisions)
        else { return false }
        settle()
        return true
    }

    // MARK: What launches lacked

    /// The run of a request went back for want of something: its record says what becomes of the request.
    private func tellReturn(of request: RequestHandle, _ run: RunHandle) {
        guard let tally = decider.scheduler.request(request)?.shortage else { return }
        let times = tally.returns == 1 ? "" : " (\(tally.returns) times in a row)"
        let sentence =
            "for want of \(tally.cause.wanted)\(times) the request is tried again in \(tally.pause)"
            + (tally.isLasting ? ", and once an hour from now on; see taskhost why" : "")
        runs.diagnose(sentence, run)
    }

    /// What the request lacks has lasted: a person should know.
    private func noteShortage(of request: RequestHandle) {
        guard let tally = decider.scheduler.request(request)?.shortage, let identifier = identifier(of: request) else {
            return
        }
        announcer.note(
            .shortage, identifier,
            "its launch lacked \(tally.cause.wanted) \(tally.returns) times within an hour; it is tried once an hour now"
        )
    }
}
