import CTaskHost
import Synchronization

/// The functions behind `taskhost_trace_t`.
enum TraceService {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_trace(
            struct_size: UInt32(MemoryLayout<taskhost_trace>.size), abi_version: TASKHOST_ABI_VERSION,
            traceparent: { unsafe TraceService.traceparent(HostServices.state(of: $0), $1) }))

    private static func traceparent(
        _ state: UnsafeMutablePointer<HandlerRun>, _ text: UnsafeMutablePointer<taskhost_bytes>
    ) -> Int32 {
        unsafe text.pointee = unsafe taskhost_bytes()
        guard unsafe state.pointee.references.load(ordering: .acquiring) > 0 else { return TASKHOST_ALREADY_COMPLETED }
        if unsafe state.pointee.trace.length > 0 { unsafe text.pointee = unsafe state.pointee.trace }
        return TASKHOST_OK
    }
}
