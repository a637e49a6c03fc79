internal import TaskModel

/// What happens to the application, in the order of the decisions, on one queue.
enum Effect {
    /// Its process begins: the launch closure is called.
    case launch(WorkerHandle)
    /// It is called for a state, the number of which the engine counts.
    case state(WorkerHandle, ApplicationState, number: UInt32)
    case start(WorkerHandle, RunHandle)
    case expire(RunHandle, Reason)
    case expireAssertions(WorkerHandle)
    /// The process hears what it does not know yet of the session at that place.
    case tellSession(Int)
    /// It hears how far a transfer of that session is, if it has the session open.
    case tellProgress(Int, TransferEvent)
    /// The application is called for the events of its background sessions.
    case handleSessions(WorkerHandle)
    /// It hears of the machine's network, if it watches it.
    case tellNetwork
    /// Its process is asked to end.
    case terminate(WorkerHandle)
    /// Its process is gone.
    case end(WorkerHandle)
}
