import Engine
import TaskModel

// Actions by their own names, for lists of what is expected.
extension Action {
    static func insert(_ run: RunHandle) -> Action { .write(.insert(run)) }
    static func markExpired(_ run: RunHandle) -> Action { .write(.markExpired(run)) }
    static func finish(_ run: RunHandle) -> Action { .write(.finish(run)) }
    static func pause(_ run: RunHandle) -> Action { .write(.pause(run)) }
    static func resume(_ run: RunHandle) -> Action { .write(.resume(run)) }
    static func terminated(
        _ worker: WorkerHandle, _ reason: TerminationReason, callback: ApplicationCallback?, took: TimeSpan?
    ) -> Action { .write(.terminated(worker, reason, callback: callback, took: took)) }

    static func launch(_ worker: WorkerHandle, application: ApplicationIndex, memory: ByteCount) -> Action {
        .urgent(.launch(worker, application: application, memory: memory))
    }
    static func prepare(_ worker: WorkerHandle, application: ApplicationIndex, memory: ByteCount) -> Action {
        .urgent(.prepare(worker, application: application, memory: memory))
    }
    static func adopt(_ worker: WorkerHandle, memory: ByteCount) -> Action {
        .urgent(.adopt(worker, memory: memory))
    }
    static func expire(_ worker: WorkerHandle, _ run: RunHandle, _ reason: Reason) -> Action {
        .urgent(.expire(worker, run, reason))
    }

    static var allowSleep: Action { .effect(.allowSleep) }
    static var meterSpace: Action { .effect(.meterSpace) }
    static func start(_ worker: WorkerHandle, _ run: RunHandle) -> Action { .effect(.start(worker, run)) }
    static func expired(_ worker: WorkerHandle, _ run: RunHandle, _ reason: Reason) -> Action {
        .effect(.expired(worker, run, reason))
    }
    static func setDeadline(_ worker: WorkerHandle, _ run: RunHandle) -> Action { .effect(.setDeadline(worker, run)) }
    static func state(_ worker: WorkerHandle, _ state: ApplicationState) -> Action { .effect(.state(worker, state)) }
    static func handleSessionEvents(_ worker: WorkerHandle) -> Action { .effect(.handleSessionEvents(worker)) }
    static func freeze(_ worker: WorkerHandle) -> Action { .effect(.freeze(worker)) }
    static func thaw(_ worker: WorkerHandle) -> Action { .effect(.thaw(worker)) }
    static func expireAssertions(_ worker: WorkerHandle) -> Action { .effect(.expireAssertions(worker)) }
    static func limitMemory(_ worker: WorkerHandle, _ limit: ByteCount) -> Action {
        .effect(.limitMemory(worker, limit))
    }
    static func meter(_ worker: WorkerHandle) -> Action { .effect(.meter(worker)) }
    static func weigh(_ worker: WorkerHandle) -> Action { .effect(.weigh(worker)) }
    static func examine(_ worker: WorkerHandle) -> Action { .effect(.examine(worker)) }
    static func weighFolders(application: ApplicationIndex) -> Action {
        .effect(.weighFolders(application: application))
    }
    static func sweep(_ worker: WorkerHandle) -> Action { .effect(.sweep(worker)) }
    static func terminate(_ worker: WorkerHandle) -> Action { .effect(.terminate(worker)) }
    static func kill(_ worker: WorkerHandle) -> Action { .effect(.kill(worker)) }
    static func reply(_ run: RunHandle) -> Action { .effect(.reply(run)) }
    static func retire(_ worker: WorkerHandle) -> Action { .effect(.retire(worker)) }
}

extension [Action] {
    /// A run that is being warned.
    static func expiration(_ worker: WorkerHandle, _ run: RunHandle, _ reason: Reason) -> [Action] {
        [.markExpired(run), .expire(worker, run, reason), .expired(worker, run, reason)]
    }
}
