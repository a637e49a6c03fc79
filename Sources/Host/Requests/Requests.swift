import Engine
package import Scheduling
import Record
import Setting
package import TaskModel

/// Requests of applications, users and schedules. Thread: the loop's.
package final class Requests {
    /// Data of requests that the scheduler does not need.
    var extras: [RequestKey: RequestExtra] = [:]
    var orphans = OrphanTable()
    /// The runs in progress of requests.
    package private(set) var running: [RequestHandle: RunHandle] = [:]
    /// The writes of the turn's commit, in order.
    private var writes: [RequestWrite] = []
    /// Time of the last submission: no two of one host are alike.
    private var lastSubmitted = Timestamp(nanoseconds: 0)
    /// Submissions under concrete identifiers of wildcards since unused identifiers were looked for.
    var concreteIdentifiers = 0
    package let decider: Decider
    let keeper: RecordKeeper
    package let installed: Installation
    package let runs: RunTable
    let device: Device
    let announcer: Announcer
    let pauses: Pauses
    package let isServed: Bool
    /// Sends failures to webhooks.
    weak var transfers: BackgroundTransfers?
    /// Called when a run of a request has its outcome; nil without a fleet.
    var claimEnded: ((RequestHandle, ULID, Outcome) -> Void)?
    /// The host shares requests with others.
    package var isInFleet: Bool { claimEnded != nil }
    /// Called when a claimed request is forgotten.
    var claimForgotten: (Int64) -> Void = { _ in }

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ runs: RunTable, _ device: Device,
        _ announcer: Announcer, _ pauses: Pauses, isServed: Bool
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.runs = runs
        self.device = device
        self.announcer = announcer
        self.pauses = pauses
        self.isServed = isServed
        decider.carryOut = { [unowned self] in carryOut($0) }
        decider.runEnded = { [unowned self] in tellEnd(of: $0) }
    }

    /// Begins to start pending and due work, after pending requests have been restored.
    func begin() {
        // A daemon that is often restarted would never count that far.
        concreteIdentifiers = Self.identifiersBetweenSweeps
        decider.beginRequests()
        decider.settle()
    }

    // MARK: Looking

    /// The concrete identifier of a request.
    package func identifier(of request: RequestHandle) -> String? {
        guard let view = decider.request(request) else { return nil }
        return extra(of: view).identifier ?? installed.tasks[view.task].definition.identifier
    }

    package func extra(of view: RequestView) -> RequestExtra { extras[RequestKey(view)] ?? RequestExtra() }

    /// The request with the data that the scheduler does not keep.
    package func whole(_ view: RequestView) -> TaskRequest {
        let extra = extra(of: view)
        var request = view.request
        request.identifier = extra.identifier ?? installed.tasks[view.task].definition.identifier
        request.application = installed.applicationName(of: view.task)
        request.title = extra.title
        request.subtitle = extra.subtitle
        request.leftOut = extra.leftOut
        request.payload = extra.payload
        request.settings = extra.settings
        return request
    }

    // MARK: Decisions

    private func carryOut(_ decision: Decision) {
        switch decision {
        case .remember(let request): writes.append(.put(request))
        case .forget(let identity, let submitted):
            let key = RequestKey(identity: identity, submitted: submitted)
            extras[key] = nil
            if ClaimedIdentity.isClaimed(identity) { return claimForgotten(identity) }
            writes.append(.forget(key))
        case .start(let request, let launch): start(request, launch: launch)
        case .expire(let request, let reason):
            guard let run = running[request] else { return }
            decider.hear(.expired(run, reason))
        case .terminate(let application, let reason):
            decider.hear(.terminateApplication(application: application, reason))
        case .rememberApplication(let application): writes.append(.application(application))
        case .pauseEnded(let part): pauses.ended(part)
        case .starved(let request): noteShortage(of: request)
        case .quarantined(let application, let until):
            announcer.note(
                .quarantined, installed.name(of: application),
                "it crashed again and again; in quarantine until \(until.iso8601)")
        }
    }

    private func start(_ request: RequestHandle, launch: UInt32) {
        guard let view = decider.request(request) else { return }
        let key = RequestKey(view)
        let kept = extras[key]
        let definition = installed.tasks[view.task].definition
        let scheduled = view.request.terms.origin == .schedule ? definition.schedule?.payload : nil
        let context = RunContext(
            payload: kept?.payload ?? scheduled.map { Array($0.utf8) } ?? [], settings: kept?.settings ?? [],
            observer: nil, request: request,
            identity: ClaimedIdentity.row(key.identity),
            identifier: kept?.identifier, title: kept?.title ?? "", subtitle: kept?.subtitle ?? "",
            trace: kept?.trace, claim: kept?.claim, waits: decider.waits(of: request),
            origin: kept?.origin ?? view.request.terms.origin,
            due: view.request.attempt == 1 && view.request.terms.origin == .schedule ? view.request.scheduledFor : nil)
        let run = runs.admit(
            view.task, attempt: view.request.attempt, launch: launch,
            isOnPower: view.request.terms.requiresExternalPower, context: context)
        running[request] = run
        if !ClaimedIdentity.isClaimed(key.identity), let id = decider.id(of: run) {
            writes.append(.running(key, id))
        }
    }

    /// The run has its outcome: its request is done, or will be tried again.
    private func tellEnd(of run: RunHandle) {
        guard let slot = decider.run(run), let outcome = slot.outcome else { return }
        let application = decider.application(of: slot.task)
        let isMarked = runs.mark(run, slot, outcome)
        if let worker = runs.noteForExplanation(run, slot, outcome) { decider.hear(.leavesWhenIdle(worker)) }
        if !runs.told.isEmpty { answerOutput(of: run, slot, outcome) }
        // Before its request makes room for the next one.
        if outcome == .succeeded, let seen = runs[run].files { runs.files.remember(seen, of: slot.task) }
        if let request = runs[run].request {
            running[request] = nil
            let isTriedAgain = decider.ended(request, end(slot, outcome))
            if !isTriedAgain { answerFailure(of: run, slot) }
            if slot.shortage != nil { tellReturn(of: request, run) }
            claimEnded?(request, slot.id, outcome)
            return
        }
        if let used = slot.figures.cpuTime {
            decider.charge(application, cpuTime: used)
        }
        if outcome == .succeeded {
            decider.succeeded(slot.task)
            if isMarked { answerFailure(of: run, slot) }
        } else {
            answerFailure(of: run, slot)
            if end(slot, outcome).health == .crash { decider.crashed(application) }
        }
    }

    /// What the run's end means for a request, and says about its application.
    private func end(_ slot: RunSlot, _ outcome: Outcome) -> RequestEnd {
        var end = RequestEnd(
            outcome: outcome, reason: slot.reason, cpuTime: slot.figures.cpuTime, shortage: slot.shortage,
            hasStarted: slot.started != nil, isHung: slot.isHung, deferral: slot.deferral)
        if outcome == .crashed, let signal = slot.figures.signal, ProgramEnd.isRequested(bySignal: signal) {
            end.wasStopped = installed.tasks[slot.task].definition.handler.isProgram
        }
        return end
    }

    // MARK: The turn's record

    /// Whether the turn has nothing to write of requests.
    var isEmpty: Bool { writes.isEmpty }

    /// Writes the turn's decisions about requests.
    func write() {
        for write in writes {
            switch write {
            case .put(let request): put(request)
            case .running(let key, let run):
                keeper.write(.requestRunning(identity: key.identity, submitted: key.submitted, run: run))
            case .forget(let key):
                keeper.write(.requestForgotten(identity: key.identity, submitted: key.submitted))
            case .application(let application):
                keeper.write(.application(row: installed.row(of: application), decider.memory(of: application)))
            }
        }
        writes.removeAll(keepingCapacity: true)
    }

    private func put(_ request: RequestHandle) {
        // Deleted in the same turn: its row was never needed.
        guard let view = decider.request(request), !ClaimedIdentity.isClaimed(view.request.identity) else { return }
        keeper.write(.requestPut(stored(view)))
    }

    private func stored(_ view: RequestView) -> TaskRequest {
        var stored = whole(view)
        // A host that restarts may not have the same shortage.
        if view.shortage != nil { stored.notBefore = nil }
        return stored
    }

    /// A request that waits, with its identifier; nil: it does not wait any more.
    package func waiting(_ request: RequestHandle) -> TaskRequest? {
        decider.request(request).flatMap { $0.phase == .pending ? stored($0) : nil }
    }

    /// Requests without a manifest, in the order of their submission.
    package var waitingOrphans: [TaskRequest] { orphans.values.sorted { $0.submitted < $1.submitted } }

    /// Forgets the request's row with the turn's commit.
    func forget(_ key: RequestKey) { writes.append(.forget(key)) }

    /// A time for a new submission.
    func stamp(_ now: Timestamp) -> Timestamp {
        lastSubmitted = now == lastSubmitted ? Timestamp(nanoseconds: now.nanoseconds + 1) : now
        return lastSubmitted
    }
}
