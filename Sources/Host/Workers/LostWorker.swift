import TaskModel

/// A worker that died with its zygote.
struct LostWorker {
    var worker: WorkerHandle
    /// What its runs are told.
    var fault: LaunchFault
}
