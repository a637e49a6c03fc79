import Linux

/// The kernel's device announcements, for one subsystem. They reach only the initial network namespace.
final class UeventSocket {
    private let socket: NetlinkSocket
    private let subsystem: StaticString

    var descriptor: Int32 { socket.descriptor.number }

    init(subsystem: StaticString) throws(SystemError) {
        socket = try NetlinkSocket(.uevent, groups: 1, capacity: 16 << 10)
        self.subsystem = subsystem
    }

    /// Reads announcements, at most 64 messages: the rest is readable in the next turn.
    ///
    /// - Returns: whether a device of the subsystem may have come, gone or changed.
    func read() -> Bool {
        var concerned = false
        socket.readAll(lost: { concerned = true }) { bytes in
            if Uevent.concerns(subsystem: subsystem, bytes) { concerned = true }
        }
        return concerned
    }
}
