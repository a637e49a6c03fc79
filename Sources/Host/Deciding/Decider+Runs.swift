package import Engine
package import TaskModel

// What the engine knows about runs and their workers.
extension Decider {
    /// What the engine keeps to.
    package var limits: EngineLimits { engine.limits }

    /// Whether no run is submitted or running any more, and no worker is left.
    var isQuiet: Bool { engine.isQuiet }

    /// Whether a stop was requested.
    var isStopping: Bool { engine.isStopping }

    // MARK: Runs

    /// A copy of all that is known of the run; nil: it has been forgotten.
    package func run(_ run: RunHandle) -> RunSlot? { engine.runs[run] }

    /// Whether the run belongs to the worker in that slot.
    func belongs(_ run: RunHandle, to worker: WorkerHandle) -> Bool {
        guard let index = engine.runs.index(run) else { return false }
        return engine.runs[index].worker(is: worker.index)
    }

    /// Whether the run has not been forgotten.
    func knows(_ run: RunHandle) -> Bool { engine.runs.index(run) != nil }

    /// The run's id; nil: it has been forgotten.
    package func id(of run: RunHandle) -> ULID? {
        guard let index = engine.runs.index(run) else { return nil }
        return engine.runs[index].id
    }

    /// The run's task; nil: it has been forgotten.
    package func task(of run: RunHandle) -> TaskIndex? {
        guard let index = engine.runs.index(run) else { return nil }
        return engine.runs[index].task
    }

    /// When the run's budget ends; nil: it has been forgotten.
    func budgetEnd(of run: RunHandle) -> Instant? {
        guard let index = engine.runs.index(run) else { return nil }
        return engine.runs[index].budgetEnd
    }

    /// What the run's worker is told at its start; nil: the run has been forgotten.
    func order(for run: RunHandle) -> StartOrder? {
        guard let index = engine.runs.index(run) else { return nil }
        // Each property in place: a constant would be a copy of the run.
        return StartOrder(
            id: engine.runs[index].id, task: engine.runs[index].task, attempt: engine.runs[index].attempt,
            budgetEnd: engine.runs[index].budgetEnd)
    }

    /// The runs that are neither ended nor released. Walks over all slots: for queries by users.
    package var activeRuns: [RunHandle] { engine.activeRuns }

    /// How many runs are launching, running, expiring or ending.
    package var runsInProgress: Int { engine.occupied }

    /// Where the run stands; nil: no such run is in progress.
    package func standing(of run: RunHandle) -> Engine.Standing? { engine.standing(of: run) }

    /// What a run that has no worker yet waits for; nil: it has one, or waits only for a worker to end.
    package func gate(of run: RunHandle) -> Gate? { engine.gate(of: run) }

    /// The requester has its answer: the run may be forgotten.
    func release(_ run: RunHandle) { engine.release(run) }

    // MARK: Workers

    /// The runs that the worker has, oldest first.
    func runs(of worker: WorkerHandle) -> [RunHandle] { engine.runs(of: worker) }

    /// How many runs the worker has.
    func runCount(of worker: WorkerHandle) -> Int { engine.runCount(of: worker) }

    /// Whether the run is in progress in this worker.
    func isActive(_ run: RunHandle, of worker: WorkerHandle) -> Bool { engine.isActive(run, of: worker) }

    /// Whether the worker is being launched or is ready: it has not been asked to exit, and is not being killed.
    func isServing(_ worker: WorkerHandle) -> Bool { engine.isServing(worker) }

    /// When the worker's background time ends; `distantFuture` while nothing ends it.
    func backgroundEnd(of worker: WorkerHandle) -> Instant { engine.backgroundEnd(of: worker) }

    /// The host has released the worker: it may be forgotten.
    func release(_ worker: WorkerHandle) { engine.release(worker) }
}
