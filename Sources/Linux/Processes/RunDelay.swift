package import TaskModel

/// How long threads waited for a processor that others had.
package enum RunDelay {
    /// The sum over the threads that the process has at present (the second figure of /proc/PID/task/TID/schedstat, in
    /// nanoseconds; Linux, Documentation/scheduler/sched-stats.rst). Zero where the kernel tells nothing.
    package static func of(_ process: Int32) -> TimeSpan {
        let threads = (try? FileSystem.names(in: "/proc/\(process)/task")) ?? []
        let delays = threads.map { thread -> Int64 in
            let text = (try? FileText.read("/proc/\(process)/task/\(thread)/schedstat")) ?? ""
            let figures = text.split(separator: " ")
            return figures.count > 1 ? Int64(figures[1]) ?? 0 : 0
        }
        return TimeSpan(nanoseconds: delays.reduce(0, &+))
    }
}
