import Linux
import Record
import Store
package import TaskModel
import Workers

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

// What may be looked at between turns, on the loop's thread.
extension Host {
    /// The living worker of the task's application; nil when there is none. The youngest, when each run has its own.
    package func census(of task: UInt32) -> WorkerCensus? {
        let application = tasks[Int(task)].application
        let living = workers.last { record in
            guard let record else { return false }
            return record.application == application && !record.isGone && record.pid != nil
        }
        guard case let record?? = living, let pid = record.pid else { return nil }
        return WorkerCensus(
            worker: pid, threads: ProcessStatus(of: pid)?.threads ?? 0,
            others: record.group.processes().count { $0 != pid }, cpuTime: record.group.cpuTime())
    }

    /// The run as it stands in the record now: what came after its end is in it as well.
    package func record(of id: ULID) -> RunRecord? { (try? store.history.run(id)) ?? nil }

    /// How many bytes of the run's output were kept, and how many were thrown away.
    package func outputSize(of id: ULID) -> (kept: Int, dropped: UInt64) {
        (try? store.history.outputSize(of: id)) ?? (0, 0)
    }
}
