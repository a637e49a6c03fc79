import CTaskHost
import TaskModel
import Wire

/// The functions behind `taskhost_lifecycle_t`.
enum LifecycleServices {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_lifecycle(
            struct_size: UInt32(MemoryLayout<taskhost_lifecycle>.size), abi_version: TASKHOST_ABI_VERSION,
            state: { UInt32(WorkerProcess.life.current.state.rawValue) },
            background_refresh: { UInt32(WorkerProcess.life.current.backgroundRefresh.rawValue) },
            begin_assertion: { unsafe LifecycleServices.begin($0, $1, $2) },
            end_assertion: { WorkerProcess.assertions.end($0) ? TASKHOST_OK : TASKHOST_UNKNOWN },
            background_time_remaining: { WorkerProcess.assertions.timeRemaining },
            perform_expiring_activity: { unsafe LifecycleServices.performActivity($0, $1, $2) },
            open_assertions: { WorkerProcess.assertions.held },
            set_minimum_fetch_interval: { LifecycleServices.setFetchInterval($0) },
            complete_event: { unsafe LifecycleServices.completeEvent(HostServices.state(of: $0), $1) },
            watch_network: { WorkerProcess.network.begin($0) ? TASKHOST_OK : TASKHOST_INVALID },
            watch_suspension: { WorkerProcess.suspensions.begin($0) ? TASKHOST_OK : TASKHOST_INVALID }))

    private static func begin(
        _ name: UnsafePointer<CChar>?, _ expired: taskhost_assertion_fn?, _ context: UnsafeMutableRawPointer?
    ) -> UInt64 {
        // It goes to a thread of ours by contract.
        nonisolated(unsafe) let context = unsafe context
        guard let expired = unsafe expired else { return unsafe WorkerProcess.assertions.begin(name, nil) }
        return unsafe WorkerProcess.assertions.begin(name) { unsafe expired(context) }
    }

    private static func performActivity(
        _ reason: UnsafePointer<CChar>, _ activity: taskhost_activity_fn, _ context: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard unsafe reason.pointee != 0 else { return TASKHOST_INVALID }
        nonisolated(unsafe) let context = unsafe context
        let hasBegun = unsafe ExpiringActivity.begin(reason) { unsafe activity(context, $0 ? 1 : 0) }
        return hasBegun ? TASKHOST_OK : TASKHOST_INVALID
    }

    private static func completeEvent(_ state: UnsafeMutablePointer<HandlerRun>, _ result: UInt32) -> Int32 {
        let kind = unsafe state.pointee.task.kind
        guard kind == TASKHOST_KIND_BACKGROUND_FETCH || kind == TASKHOST_KIND_REMOTE_NOTIFICATION,
            let result = UInt8(exactly: result).flatMap(FetchResult.init(rawValue:))
        else { return TASKHOST_INVALID }
        return unsafe HostServices.complete(state, success: result != .failed, result: .fetch(result))
    }

    private static func setFetchInterval(_ seconds: Double) -> Int32 {
        guard seconds >= 0 else { return TASKHOST_INVALID }
        let isNever = seconds > Double(FetchInterval.most)
        WorkerProcess.wire.send(FetchInterval(seconds: isNever ? nil : Int64(seconds.rounded(.up))).frame())
        return TASKHOST_OK
    }
}
