import Engine
import Record
import Scheduling
import TaskModel
import TestSupport

// Its workers, and how their runs end.
extension CrowdHost {
    /// Works off what the scheduler has decided.
    func settle() {
        while let decision = scheduler.takeDecision() {
            switch decision {
            case .start(let request, let launch): start(request, launch)
            case .expire(let request, let reason):
                if let run = runs.first(where: { $0.value.request == request })?.key { feed(.expired(run, reason)) }
            case .remember(let request):
                if let task = scheduler.request(request)?.task { changed.insert(task) }
            default: changed.formUnion(entered.keys)
            }
        }
    }

    private func start(_ request: RequestHandle, _ launch: UInt32) {
        guard let view = scheduler.request(request), store != nil else { return }
        launches += 1
        let id = ULID(high: UInt64(index), low: launches)
        let first = engine.actions.count
        engine.handle(
            .submitted(
                Submission(
                    task: view.task, id: id, attempt: view.request.attempt, requester: 0, launch: launch,
                    hasRequest: true)), at: now)
        guard engine.actions.count > first, case .write(.insert(let run)) = engine.actions[first] else {
            return crowd.history.disorders.append("a start is not inserted")
        }
        runs[run] = CrowdRun(task: view.task, request: request)
        entered[view.task]?.run = run
        act()
    }

    func feed(_ event: Event) {
        engine.handle(event, at: now)
        act()
    }

    /// Works off what the engine has decided.
    func act() {
        while !engine.actions.isEmpty {
            let list = engine.actions
            engine.removeActions()
            for action in list { act(action) }
        }
    }

    private func act(_ action: Action) {
        switch action {
        case .urgent(.launch(let worker, _, _)): engine.handle(.ready(worker), at: now)
        case .urgent(.expire(_, let run, _)):
            runs[run]?.end = now.instant
            runs[run]?.succeeds = false
        case .effect(.start(let worker, let run)): begin(run, in: worker)
        case .effect(.meter(let worker)):
            engine.handle(.metered(worker, cpu: .milliseconds(1), peak: .mebibytes(8)), at: now)
        case .effect(.weigh(let worker)): engine.handle(.weighed(worker, memory: .mebibytes(8)), at: now)
        case .effect(.examine(let worker)): engine.handle(.lacked(worker, .time), at: now)
        case .effect(.terminate(let worker)), .effect(.kill(let worker)):
            engine.handle(.exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)), at: now)
            engine.handle(.treeExited(worker), at: now)
        case .write(.finish(let run)): finish(run)
        case .effect(.reply(let run)):
            runs[run] = nil
            engine.release(run)
        case .effect(.retire(let worker)): engine.release(worker)
        default: break
        }
    }

    /// Its handler is invoked.
    private func begin(_ run: RunHandle, in worker: WorkerHandle) {
        guard let known = runs[run], let claim = entered[known.task]?.claim, entered[known.task]?.run == run else {
            return
        }
        runs[run]?.start = crowd.noteStart(claim, on: self)
        if claim.request.identifier == Self.poison, crowd.isPoisonous { return die() }
        runs[run]?.worker = worker
        runs[run]?.succeeds = !random.chance(crowd.isTroubled ? 0.12 : 0)
        let isLong = crowd.isTroubled && random.chance(0.05)
        let length =
            isLong
            ? lease + random.span(.milliseconds(1), lease) : random.span(.milliseconds(1), .milliseconds(60))
        runs[run]?.end = now.instant + length
    }

    /// Those whose time has come complete.
    func endRuns() {
        for (run, known) in runs where known.end <= now.instant {
            guard let worker = known.worker else { continue }
            runs[run]?.end = .distantFuture
            engine.handle(.metered(worker, cpu: .milliseconds(1), peak: .mebibytes(8)), at: now)
            feed(.completed(worker, run, success: known.succeeds, result: nil, automatic: false))
        }
    }

    private func finish(_ run: RunHandle) {
        guard let known = runs[run], let slot = engine.runs[run], let outcome = slot.outcome else { return }
        if let start = known.start { crowd.noteEnd(ofStart: start) }
        if entered[known.task]?.run == run {
            entered[known.task]?.run = nil
            entered[known.task]?.outcome = outcome
            changed.insert(known.task)
        }
        scheduler.ended(
            known.request,
            RequestEnd(
                outcome: outcome, reason: slot.reason, cpuTime: slot.figures.cpuTime, shortage: slot.shortage,
                hasStarted: slot.started != nil, isHung: slot.isHung, deferral: slot.deferral), at: now)
        settle()
    }
}
