internal import Engine
internal import Scheduling
internal import TaskHostExtensions
internal import TaskModel

// What engine and scheduler decide.
extension HostModel {
    func perform(_ action: Action) {
        switch action {
        case .write(.finish(let run)): finish(run)
        case .write(.terminated(_, let reason, callback: _, took: _)): terminated(reason)
        case .write(.insert), .write(.markExpired), .write(.pause), .write(.resume): break
        case .urgent(.launch(let worker, _, _)):
            process = worker
            toldStates = 0
            assertions = AssertionTable()
            state = engine.state(of: application) == .notRunning ? .background : engine.state(of: application)
            if !launchesSlowly { effects.append(.launch(worker)) }
        case .urgent(.expire(_, let run, let reason)):
            facts[run]?.isWatched = true
            effects.append(.expire(run, reason))
        // The effect of the same name does it.
        case .urgent(.kill): break
        case .urgent(.prepare), .urgent(.adopt): preconditionFailure("an application's runs share its process")
        case .effect(let effect): perform(effect)
        }
    }

    private func perform(_ effect: Action.Effect) {
        switch effect {
        case .expired, .allowSleep, .limitMemory, .sweep, .thaw, .setDeadline: break
        case .start(let worker, let run):
            // Background time begins anew after it.
            if assertions.held.isEmpty { assertions.wasWarned = false }
            effects.append(.start(worker, run))
        case .state(let worker, let state):
            toldStates += 1
            if state == .active || state == .inactive { assertions.wasWarned = false }
            effects.append(.state(worker, state, number: toldStates))
        case .expireAssertions(let worker): effects.append(.expireAssertions(worker))
        case .reply(let run): engine.release(run)
        case .handleSessionEvents(let worker): effects.append(.handleSessions(worker))
        // Nothing is measured: it would be that of the test.
        case .meter(let worker): hear(.metered(worker, cpu: .zero, peak: ByteCount(bytes: 0)))
        case .weigh(let worker): hear(.weighed(worker, memory: nil))
        case .meterSpace: hear(.spaceMetered(free: ByteCount(bytes: .max)))
        case .weighFolders(let application): hear(.diskMetered(application: application, used: ByteCount(bytes: 0)))
        case .freeze(let worker): hear(.frozen(worker, holdsLock: false))
        case .examine(let worker):
            launchesSlowly = false
            hear(.hung(worker))
        case .terminate(let worker):
            if worker == process { effects.append(.terminate(worker)) }
        case .kill(let worker): exit(worker, WorkerExit(signal: 9, status: 0, outOfMemory: false))
        case .retire(let worker): engine.release(worker)
        }
    }

    /// The application's process is gone: nothing that its code does counts any more.
    func exit(_ worker: WorkerHandle, _ exit: WorkerExit) {
        if worker == process {
            process = nil
            transfers.processEnded()
            effects.append(.end(worker))
        }
        hear(.exited(worker, exit))
        hear(.treeExited(worker))
    }

    private func finish(_ run: RunHandle) {
        guard let slot = engine.runs[run], let outcome = slot.outcome, let known = facts[run] else { return }
        var isPendingAgain = false
        if let request = known.request {
            isPendingAgain = scheduler.ended(
                request,
                RequestEnd(
                    outcome: outcome, reason: slot.reason, cpuTime: slot.figures.cpuTime, shortage: slot.shortage,
                    hasStarted: slot.started != nil, isHung: slot.isHung, deferral: slot.deferral),
                at: now)
        } else if outcome == .succeeded {
            scheduler.succeeded(slot.task, at: now)
        } else if outcome.row.health == .crash || slot.isHung {
            scheduler.crashed(application: application, at: now)
        }
        let result = RunResult(
            identifier: known.identifier, attempt: Int(known.attempt), outcome: RunOutcome(outcome),
            reason: slot.reason.flatMap { ExpirationReason(rawValue: UInt32($0.rawValue)) }, progress: known.progress,
            log: known.log,
            duration: .nanoseconds(slot.figures.wallTime?.nanoseconds ?? 0), diagnostics: known.diagnostics,
            isPendingAgain: isPendingAgain, fetchAnswer: known.fetchAnswer)
        facts[run]?.result = result
        facts[run]?.isWatched = false
        ended(result)
        if !isPendingAgain { answerFailure(slot, known) }
    }

    func carryOut(_ decision: Decision) {
        switch decision {
        case .remember, .rememberApplication, .starved, .pauseEnded: break
        case .forget(let identity, let submitted):
            requests[RequestFacts.Key(identity: identity, submitted: submitted)] = nil
        case .start(let request, let launch): start(request, launch: launch)
        case .expire(let request, let reason):
            guard let run = facts.first(where: { $0.value.request == request && $0.value.result == nil })?.key else {
                return
            }
            hear(.expired(run, reason))
        case .terminate(let application, let reason):
            hear(.terminateApplication(application: application, reason))
        case .quarantined(_, let until): notes.append("in quarantine until \(until.iso8601) after crashes")
        }
    }

    private func start(_ request: RequestHandle, launch: UInt32) {
        guard let view = scheduler.request(request), let task = tasks[view.task] else { return }
        let kept = requests[RequestFacts.Key(view)]?.request
        let scheduled = view.request.terms.origin == .schedule ? task.schedule?.payload : nil
        let run = RunFacts(
            identifier: kept?.identifier ?? task.identifier, id: "", kind: task.kind, attempt: view.request.attempt,
            request: request, payload: kept?.payload ?? Array((scheduled ?? "").utf8), settings: kept?.settings ?? [],
            title: kept?.title ?? "", subtitle: kept?.subtitle ?? "")
        _ = admit(
            run, of: view.task, launch: launch, isOnPower: view.request.terms.requiresExternalPower)
    }
}
