import CTaskHost
import Wire

/// The implementation of `taskhost_information_t`.
enum InformationService {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table: UnsafePointer<taskhost_information> = {
        let information = unsafe WorkerProcess.information
        let modes = UnsafeMutableBufferPointer<taskhost_bytes>.allocate(capacity: information.backgroundModes.count)
        for (index, mode) in information.backgroundModes.enumerated() {
            unsafe modes.initializeElement(at: index, to: taskhost_bytes(copying: mode))
        }
        return unsafe forever(
            taskhost_information(
                struct_size: UInt32(MemoryLayout<taskhost_information>.size), abi_version: TASKHOST_ABI_VERSION,
                name: taskhost_bytes(copying: information.name), version: taskhost_bytes(copying: information.version),
                background_modes: UnsafePointer(modes.baseAddress), background_mode_count: UInt64(modes.count),
                memory: information.memory, scene: taskhost_bytes(copying: information.scene),
                sdk: information.sdk, reserved: 0))
    }()
}
