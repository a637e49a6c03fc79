import CTaskHost
import Wire

/// The function behind `taskhost_notifications_t`.
enum NotificationService {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_notifications(
            struct_size: UInt32(MemoryLayout<taskhost_notifications>.size), abi_version: TASKHOST_ABI_VERSION,
            note: { unsafe NotificationService.note($0) }))

    private static func note(_ sentence: UnsafePointer<CChar>) {
        unsafe WorkerProcess.wire.send(
            SentenceReport(sentence: beginning(of: sentence, most: ServiceLimits.sentence)).frame(.notification))
    }
}
