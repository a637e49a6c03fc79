import CTaskHost
import Synchronization

/// The functions behind `taskhost_fleet_t`.
enum FleetService {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_fleet(
            struct_size: UInt32(MemoryLayout<taskhost_fleet>.size), abi_version: TASKHOST_ABI_VERSION,
            claim: { unsafe FleetService.claim(HostServices.state(of: $0), $1, $2) }))

    private static func claim(
        _ state: UnsafeMutablePointer<HandlerRun>, _ key: UnsafeMutablePointer<taskhost_bytes>,
        _ number: UnsafeMutablePointer<Int64>
    ) -> Int32 {
        unsafe key.pointee = unsafe taskhost_bytes()
        unsafe number.pointee = 0
        guard unsafe state.pointee.references.load(ordering: .acquiring) > 0 else { return TASKHOST_ALREADY_COMPLETED }
        guard unsafe state.pointee.claimNumber != 0 else { return TASKHOST_OK }
        unsafe key.pointee = unsafe state.pointee.claimKey
        unsafe number.pointee = unsafe state.pointee.claimNumber
        return TASKHOST_OK
    }
}
