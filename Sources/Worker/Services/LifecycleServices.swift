import CTaskHost
import TaskModel
import Wire

/// The functions behind `taskhost_lifecycle_t`.
enum LifecycleServices {
    /// Made when the plugin asks for it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table: UnsafePointer<taskhost_lifecycle> = {
        let table = UnsafeMutablePointer<taskhost_lifecycle>.allocate(capacity: 1)
        table.initialize(
            to: taskhost_lifecycle(
                struct_size: UInt32(MemoryLayout<taskhost_lifecycle>.size), abi_version: TASKHOST_ABI_VERSION,
                state: { UInt32(WorkerProcess.life.current.state.rawValue) },
                background_refresh: { UInt32(WorkerProcess.life.current.backgroundRefresh.rawValue) },
                begin_assertion: { _, expired, context in WorkerProcess.life.begin(expired, context) },
                end_assertion: { WorkerProcess.life.end($0) ? TASKHOST_OK : TASKHOST_UNKNOWN },
                background_time_remaining: { WorkerProcess.life.backgroundTimeRemaining(WorkerProcess.runs) }))
        return UnsafePointer(table)
    }()
}
