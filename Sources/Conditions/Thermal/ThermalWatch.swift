import CLinux
package import Linux
package import TaskModel

/// Reads the thermal zones when somebody asks, and when the kernel announces that one crossed a trip point (the generic
/// netlink family `thermal`, since 5.9).
package final class ThermalWatch: EventSource {
    /// nil: no zone can be judged.
    package private(set) var found: ThermalState?
    private let folder: String
    private let changed: ChangeFlag
    private weak var registry: (any SourceRegistry)?
    private var socket: NetlinkSocket?
    /// Whether announcements come.
    package private(set) var isAnnounced = false

    package init(folder: String, changed: ChangeFlag) {
        self.folder = folder
        self.changed = changed
        found = ThermalZones.state(reading: folder)
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        // A machine without zones announces nothing.
        guard found != nil,
            let socket = try? NetlinkSocket(protocol: CLINUX_NETLINK_GENERIC, groups: 0, capacity: 16 << 10)
        else { return }
        try registry.add(socket.descriptor.number, tag: 0, urgent: false)
        self.socket = socket
        // A kernel without the family answers with an error.
        try? socket.send(GenericNetlink.familyRequest("thermal"))
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: Moment) {
        guard let socket else { return }
        var concerned = false
        reading: for _ in 0..<64 {
            switch socket.receive() {
            case .nothing: break reading
            case .ignored: break
            case .lost: concerned = true
            case .message(let count):
                if isAnnounced {
                    concerned = true
                } else if let group = socket.withMessage(count: count, { GenericNetlink.group("event", in: $0) }) {
                    isAnnounced = clinux_netlink_join(socket.descriptor.number, group) >= 0
                    concerned = true
                }
            }
        }
        if concerned { refresh() }
    }

    package func refresh() {
        let now = ThermalZones.state(reading: folder)
        guard now != found else { return }
        found = now
        changed.raise()
    }

    package func close() {
        if let socket { registry?.remove(socket.descriptor.number) }
        socket = nil
    }
}
