import TaskModel

/// A worker that died with its zygote.
struct LostWorker {
    var worker: WorkerHandle
    /// The fault for its runs.
    var fault: LaunchFault
}
