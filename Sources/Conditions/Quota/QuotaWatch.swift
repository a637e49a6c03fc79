package import Linux
package import TaskModel

/// Receives announcements of quotas that refuse writes to a file system's projects. A refusal is announced before the
/// refused call returns.
///
/// The kernel announces to the first network namespace alone.
package final class QuotaWatch: EventSource {
    private let device: UInt64
    private let refused: (UInt32) -> Void
    private let lost: () -> Void
    private let socket: NetlinkSocket
    private weak var registry: (any SourceRegistry)?

    /// - Parameters:
    ///   - device: the file system's number.
    ///   - refused: called with the project; *Thread*: the loop's, like `lost`.
    ///   - lost: called when announcements were lost.
    /// - Throws: also where the kernel announces nothing.
    package init(
        device: UInt64, refused: @escaping (UInt32) -> Void, lost: @escaping () -> Void
    ) throws(SystemError) {
        self.device = device
        self.refused = refused
        self.lost = lost
        socket = try NetlinkSocket(.generic, groups: 0, capacity: 16 << 10)
        try socket.send(GenericNetlink.familyRequest("VFS_DQUOT"))
        // The kernel answers before it returns from the sending.
        guard case .message(let count) = socket.receive(),
            let group = socket.withMessage(count: count, { GenericNetlink.group("events", in: $0) })
        else { throw SystemError("VFS_DQUOT", code: .ENOENT) }
        try socket.join(group)
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        try registry.add(socket.descriptor.number, tag: 0, urgent: false)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        // A refused process may try again at once, and some file systems announce each time.
        var projects = Set<UInt32>()
        socket.readAll(lost: lost) { bytes in
            for warning in QuotaWarning.refusedProjects(in: bytes) where warning.device == device {
                if let project = UInt32(exactly: warning.number) { projects.insert(project) }
            }
        }
        for project in projects.sorted() { refused(project) }
    }

    package func close() { registry?.remove(socket.descriptor.number) }
}
