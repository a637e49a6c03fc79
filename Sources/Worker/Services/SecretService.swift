import CTaskHost
import Linux
import Synchronization

/// The functions behind `taskhost_secrets_t`.
enum SecretService {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_secrets(
            struct_size: UInt32(MemoryLayout<taskhost_secrets>.size), abi_version: TASKHOST_ABI_VERSION,
            descriptor: { unsafe SecretService.descriptor(HostServices.state(of: $0), $1) ?? -1 },
            read: { unsafe SecretService.read(HostServices.state(of: $0), $1, $2, capacity: $3) }))

    /// nil: the run has none of that name, or is over.
    private static func descriptor(_ state: UnsafeMutablePointer<HandlerRun>, _ name: UnsafePointer<CChar>) -> Int32? {
        guard unsafe state.pointee.references.load(ordering: .acquiring) > 0 else { return nil }
        let names = unsafe state.pointee.secretNames
        guard let place = names.firstIndex(where: { unsafe isText(name, $0) }) else { return nil }
        return unsafe state.pointee.secrets[place]
    }

    private static func read(
        _ state: UnsafeMutablePointer<HandlerRun>, _ name: UnsafePointer<CChar>, _ room: UnsafeMutableRawPointer?,
        capacity: UInt64
    ) -> Int64 {
        guard let number = unsafe descriptor(state, name), let size = FileSystem.facts(lent: number)?.size else {
            return -1
        }
        guard capacity > 0, let room = unsafe room else { return Int64(size) }
        let most = min(Int(clamping: capacity), Int(size))
        guard let bytes = try? Descriptor.read(from: number, most, at: 0), bytes.count == most else { return -1 }
        unsafe UnsafeMutableRawBufferPointer(start: room, count: most).copyBytes(from: bytes)
        return Int64(size)
    }
}
