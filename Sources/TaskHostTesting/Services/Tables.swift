internal import CTaskHost
internal import Foundation
internal import TaskModel

/// What one host shows the SDK: the argument of the launch, and the tables that hold the manifest's data. Never freed, for
/// the application may keep them.
@safe struct Tables: @unchecked Sendable {  // constant
    let launch: UnsafePointer<taskhost_launch_t>
    let scheduling: UnsafePointer<taskhost_scheduling_t>
    let information: UnsafePointer<taskhost_information_t>
    /// State, cache and manifest.
    let folders: [String]

    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let notifications = unsafe RunServices.forever(
        taskhost_notifications_t(
            struct_size: UInt32(MemoryLayout<taskhost_notifications_t>.size), abi_version: TASKHOST_ABI_VERSION,
            note: { sentence in
                let sentence = unsafe String(cString: sentence)
                HostCore.current?.change { $0.notes.append(sentence) }
            }))

    init(_ definition: ApplicationDefinition, folder: URL) {
        folders = [
            folder.appending(path: "state").path, folder.appending(path: "cache").path, definition.manifestFolder,
        ]
        let permitted = unsafe definition.tasks.map { task in
            unsafe taskhost_permitted_t(
                identifier: Self.bytes(task.identifier), kind: UInt32(task.kind.rawValue), reserved: 0)
        }
        let entries = unsafe UnsafeMutableBufferPointer<taskhost_permitted_t>.allocate(capacity: permitted.count)
        _ = unsafe entries.initialize(from: permitted)
        unsafe scheduling = RunServices.forever(
            RequestServices.table(permitted: UnsafePointer(entries.baseAddress), count: permitted.count))
        let words = definition.backgroundModes ?? []
        let modes = UnsafeMutableBufferPointer<taskhost_bytes_t>.allocate(capacity: words.count)
        _ = unsafe modes.initialize(from: words.map { unsafe Self.bytes($0) })
        let memory = definition.largestMemory?.bytes ?? 0
        unsafe information = RunServices.forever(
            taskhost_information_t(
                struct_size: UInt32(MemoryLayout<taskhost_information_t>.size), abi_version: TASKHOST_ABI_VERSION,
                name: Self.bytes(definition.name ?? ""), version: Self.bytes(definition.version ?? ""),
                background_modes: UnsafePointer(modes.baseAddress), background_mode_count: UInt64(words.count),
                memory: memory, scene: Self.bytes(definition.scene ?? ""),
                sdk: definition.rules.number, reserved: 0))
        unsafe launch = RunServices.forever(
            taskhost_launch_t(
                struct_size: UInt32(MemoryLayout<taskhost_launch_t>.size), abi_version: TASKHOST_ABI_VERSION,
                host: RunServices.table, application: Self.bytes(definition.identifier),
                state_directory: Self.bytes(folders[0]), cache_directory: Self.bytes(folders[1]),
                manifest_directory: Self.bytes(folders[2]),
                registry: UnsafeMutableRawPointer(mutating: RunServices.table),
                register_handler: { _, identifier, handler in
                    let identifier = unsafe String(cString: identifier)
                    return unsafe HostCore.current?.register(identifier, handler) ?? TASKHOST_UNKNOWN
                }))
    }

    /// A copy that is never freed.
    private static func bytes(_ text: String) -> taskhost_bytes_t {
        let copy = CText(text)
        return unsafe Unmanaged.passRetained(copy).takeUnretainedValue().bytes
    }
}
