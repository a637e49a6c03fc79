import TaskModel

/// Whether the machine sleeps, from the host's view.
enum MachineSleep: Sendable, BitwiseCopyable {
    case awake
    /// It is about to, and applications have until then.
    case falling(Instant)
    case asleep

    var isAwake: Bool { if case .awake = self { true } else { false } }
    var isAsleep: Bool { if case .asleep = self { true } else { false } }

    /// When running trees are frozen; `distantFuture`: they are frozen already, or need not be.
    var deadline: Instant { if case .falling(let end) = self { end } else { .distantFuture } }
}

// The machine's sleep: all applications go to the background, have a moment, and are frozen until it ends.
extension Engine {
    /// Nothing is launched or started from now on.
    mutating func fallAsleep(until end: Instant) {
        guard stopRequests == 0 else { return actions.append(.effect(.allowSleep)) }
        switch sleep {
        case .asleep: return actions.append(.effect(.allowSleep))
        case .falling(let sooner): sleep = .falling(min(sooner, end))
        case .awake:
            for application in applications.indices where applications[application].isForeground {
                enterBackground(application)
                applications[application].returnsToFront = true
            }
            sleep = .falling(min(end, now.instant + limits.profile.lifecycleCallback))
        }
    }

    /// No application needs the remaining time.
    mutating func settleSleep() {
        guard launching == 0 else { return }
        for worker in workers.indices where workers.isTaken(worker) {
            guard workers[worker].phase == .ready, workers[worker].stillness == nil else { continue }
            let slot = workers[worker]
            guard slot.runs.isEmpty, slot.assertions == 0, !slot.handlesSessions, slot.pendingBackground == nil
            else { return }
        }
        sleepBegins()
    }

    /// The trees that still run are frozen, and the machine may sleep.
    mutating func sleepBegins() {
        sleep = .asleep
        forEachWorker { engine, worker in engine.freezeForSleep(worker) }
        actions.append(.effect(.allowSleep))
    }

    mutating func freezeForSleep(_ worker: WorkerIndex) {
        guard workers[worker].phase == .ready, workers[worker].stillness == nil else { return }
        freeze(worker, isForSleep: true)
    }

    /// Trees that sleep has frozen continue; applications that were in the foreground return there.
    mutating func awake() {
        guard !sleep.isAwake else { return }
        sleep = .awake
        forEachWorker { engine, worker in
            if engine.workers[worker].stillness?.isForSleep == true { engine.thaw(worker) }
        }
        for application in applications.indices where applications[application].returnsToFront {
            applications[application].returnsToFront = false
            enterForeground(application)
        }
        for application in applications.indices { deliverSessions(of: application) }
        placeWaiting()
    }

    /// Some application works out of sight: a run, or an assertion.
    package var isBusyInBackground: Bool {
        workers.indices.contains { worker in
            guard workers.isTaken(worker), !isInFront(worker) else { return false }
            switch workers[worker].phase {
            case .launching, .ready:
                return !workers[worker].runs.isEmpty || workers[worker].assertions > 0
                    || workers[worker].handlesSessions
            case .spare, .leaving, .killing, .gone: return false
            }
        }
    }
}
