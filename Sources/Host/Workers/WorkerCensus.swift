package import TaskModel

/// What lives in a worker's process tree at one moment.
package struct WorkerCensus: Equatable {
    /// The worker itself.
    package var worker: Int32
    /// Threads of the worker; 0 when it has just ended.
    package var threads: Int
    /// Processes of the tree beside the worker.
    package var others: Int
    /// What the tree has used; nil when nobody can say.
    package var cpuTime: TimeSpan?
}
