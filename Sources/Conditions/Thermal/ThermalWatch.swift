package import Linux
package import TaskModel

/// Reads the thermal zones on request, and when the kernel announces that one was added or removed, as drivers are loaded
/// (device announcements), or crossed a trip point (the generic netlink family `thermal`, since 5.9).
package final class ThermalWatch: EventSource {
    /// nil: no zone can be judged.
    package private(set) var found: ThermalState?
    private let folder: String
    private let subsystem: StaticString
    private let changed: ChangeFlag
    private weak var registry: (any SourceRegistry)?
    private var devices: UeventSocket?
    private var socket: NetlinkSocket?
    /// Whether announcements of trip points come.
    package private(set) var isAnnounced = false

    private enum Tag {
        static let events: UInt32 = 0
        static let devices: UInt32 = 1
    }

    /// - Parameters:
    ///   - folder: that of the zones.
    ///   - subsystem: the one whose device announcements matter.
    package init(folder: String, subsystem: StaticString = "thermal", changed: ChangeFlag) {
        self.folder = folder
        self.subsystem = subsystem
        self.changed = changed
        found = ThermalZones.state(reading: folder)
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        if let devices = try? UeventSocket(subsystem: subsystem) {
            try registry.add(devices.descriptor, tag: Tag.devices, urgent: false)
            self.devices = devices
            refresh()  // what came before the socket was open
        }
        try hearEvents()
    }

    /// Once there is a zone: a machine without any has no trip point to cross.
    private func hearEvents() throws(SystemError) {
        guard found != nil, self.socket == nil, let registry,
            let socket = try? NetlinkSocket(.generic, groups: 0, capacity: 16 << 10)
        else { return }
        try registry.add(socket.descriptor.number, tag: Tag.events, urgent: false)
        self.socket = socket
        // A kernel without the family answers with an error.
        try? socket.send(GenericNetlink.familyRequest("thermal"))
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        switch tag {
        case Tag.devices: if devices?.read() == true { refresh() }
        default: readEvents()
        }
    }

    private func readEvents() {
        guard let socket else { return }
        var concerned = false
        socket.readAll(lost: { concerned = true }) { bytes in
            if isAnnounced {
                concerned = true
            } else if let group = GenericNetlink.group("event", in: bytes) {
                isAnnounced = (try? socket.join(group)) != nil
                concerned = true
            }
        }
        if concerned { refresh() }
    }

    package func refresh() {
        let now = ThermalZones.state(reading: folder)
        guard now != found else { return }
        found = now
        changed.raise()
        try? hearEvents()
    }

    package func close() {
        if let devices { registry?.remove(devices.descriptor) }
        if let socket { registry?.remove(socket.descriptor.number) }
        devices = nil
        socket = nil
    }
}
