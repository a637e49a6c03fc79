package import TaskModel

extension Action {
    /// What waits until the turn's writes are durable.
    package enum Effect: Sendable, BitwiseCopyable, Equatable {
        /// Invoke the handler.
        case start(WorkerHandle, RunHandle)
        /// Notify who watches the run of its expiration.
        case expired(WorkerHandle, RunHandle, Reason)
        /// Tell the worker that the run's budget ends at another time: one that shares a deadline.
        case setDeadline(WorkerHandle, RunHandle)
        /// Tell the worker that its application has entered this state.
        case state(WorkerHandle, ApplicationState)
        /// Tell the worker which background sessions have events for it, and feed `sessionsHandled` when it has handled all.
        case handleSessionEvents(WorkerHandle)
        /// Freeze the worker's tree, and feed `frozen`.
        case freeze(WorkerHandle)
        /// Thaw it.
        case thaw(WorkerHandle)
        /// Applications are suspended and that is durable: the machine may sleep.
        case allowSleep
        /// Call the expiration handlers of the assertions that the worker holds: its background time is about to end.
        case expireAssertions(WorkerHandle)
        /// Bound the memory of the worker's tree.
        case limitMemory(WorkerHandle, ByteCount)
        /// Read what the worker's tree has used so far, and feed `metered`.
        case meter(WorkerHandle)
        /// Read what the worker's tree has in memory, reset its peak, and feed `weighed`.
        case weigh(WorkerHandle)
        /// It was not ready in time. Find out whether the machine or its library delayed it, and feed `lacked` or `hung`.
        case examine(WorkerHandle)
        /// Read the free space of the disk and feed `spaceMetered`.
        case meterSpace
        /// Weigh the application's folders and feed `diskMetered`.
        case weighFolders(application: ApplicationIndex)
        /// No run is left: kill everything in the tree except the worker itself.
        case sweep(WorkerHandle)
        /// Ask the worker to exit.
        case terminate(WorkerHandle)
        /// Kill the worker's tree; repeated until `treeExited`.
        case kill(WorkerHandle)
        /// Answer the requester; the run's slot is free afterwards.
        case reply(RunHandle)
        /// Release everything that belongs to the worker; its slot is free afterwards.
        case retire(WorkerHandle)
    }
}
