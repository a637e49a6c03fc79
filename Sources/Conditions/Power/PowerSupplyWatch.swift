package import Linux
package import TaskModel

/// Reads the power supplies, and again whenever the kernel announces that one changed.
///
/// The announcements reach only the initial network namespace. Elsewhere, in containers, the values from the start hold
/// until `refresh`, or until UPower has better ones.
package final class PowerSupplyWatch: EventSource {
    package private(set) var found: PowerSupplies
    private let folder: String
    private let changed: ChangeFlag
    private let subsystem: StaticString
    private var socket: UeventSocket?
    private weak var registry: (any SourceRegistry)?

    /// - Parameters:
    ///   - folder: that of the supplies.
    ///   - subsystem: the one whose announcements matter.
    package init(folder: String, subsystem: StaticString = "power_supply", changed: ChangeFlag) {
        self.folder = folder
        self.subsystem = subsystem
        self.changed = changed
        found = PowerSupplies(reading: folder)
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        // When the kernel refuses the socket there are no announcements, as in a container.
        guard let socket = try? UeventSocket(subsystem: subsystem) else { return }
        try registry.add(socket.descriptor, tag: 0, urgent: false)
        self.socket = socket
        self.registry = registry
        refresh()  // what changed before the socket was open
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        if socket?.read() == true { refresh() }
    }

    package func refresh() {
        let now = PowerSupplies(reading: folder)
        guard now != found else { return }
        found = now
        changed.raise()
    }

    package func close() {
        if let socket { registry?.remove(socket.descriptor) }
        socket = nil
    }
}
