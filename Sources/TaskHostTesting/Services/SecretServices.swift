internal import CTaskHost

/// The functions behind `taskhost_secrets_t`, `taskhost_trace_t` and `taskhost_fleet_t`.
enum SecretServices {
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe RunServices.forever(
        taskhost_secrets_t(
            struct_size: UInt32(MemoryLayout<taskhost_secrets_t>.size), abi_version: TASKHOST_ABI_VERSION,
            descriptor: { unsafe RunCell.of($0).secrets.descriptor(String(cString: $1)) ?? -1 },
            read: { task, name, room, capacity in
                guard let text = unsafe RunCell.of(task).secrets.text(String(cString: name)) else { return -1 }
                let bytes = text.prefix(Int(clamping: capacity))
                if let room = unsafe room {
                    unsafe UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
                }
                return Int64(text.count)
            }))

    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let trace = unsafe RunServices.forever(
        taskhost_trace_t(
            struct_size: UInt32(MemoryLayout<taskhost_trace_t>.size), abi_version: TASKHOST_ABI_VERSION,
            traceparent: { task, text in
                unsafe text.pointee = unsafe RunCell.of(task).trace.bytes
                return TASKHOST_OK
            }))

    /// A run of a test serves no request of a fleet.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let fleet = unsafe RunServices.forever(
        taskhost_fleet_t(
            struct_size: UInt32(MemoryLayout<taskhost_fleet_t>.size), abi_version: TASKHOST_ABI_VERSION,
            claim: { _, key, number in
                unsafe key.pointee = unsafe taskhost_bytes()
                unsafe number.pointee = 0
                return TASKHOST_OK
            }))
}
