package import TaskModel

extension Action {
    /// What does not wait for the record.
    package enum Urgent: Sendable, BitwiseCopyable, Equatable {
        /// Make a process for the worker, with this memory limit.
        case launch(WorkerHandle, application: ApplicationIndex, memory: ByteCount)
        /// Make a process ahead, confined, which waits before it maps its application's library: `adopt` follows, or a kill.
        case prepare(WorkerHandle, application: ApplicationIndex, memory: ByteCount)
        /// A run takes the process that was made ahead: it goes on as a launched one does, with this memory limit.
        case adopt(WorkerHandle, memory: ByteCount)
        /// Call the expiration handler. A run that begins in the same turn has none yet: it is called after the start.
        case expire(WorkerHandle, RunHandle, Reason)
        /// Kill the worker's tree: a run's lease is about to end for other hosts, whatever the disk does. The effect of the same
        /// name follows, which also looks whether it is gone.
        case kill(WorkerHandle)
    }
}
