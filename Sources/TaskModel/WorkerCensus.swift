/// The processes of a worker's tree at one moment.
package struct WorkerCensus: Equatable {
    /// The worker itself.
    package var worker: Int32
    /// Threads of the worker; 0 when it has just ended.
    package var threads: Int
    /// Processes of the tree other than the worker.
    package var others: Int
    /// CPU time of the tree; nil: unknown.
    package var cpuTime: TimeSpan?

    package init(worker: Int32, threads: Int, others: Int, cpuTime: TimeSpan?) {
        self.worker = worker
        self.threads = threads
        self.others = others
        self.cpuTime = cpuTime
    }
}
