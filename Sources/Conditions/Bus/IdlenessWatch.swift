package import Linux
package import TaskModel

/// Asks logind again while work waits for an idle machine and somebody is active: for sessions on terminals logind works
/// idleness out when it is asked, and announces no change. And at once when somebody logs in or out, which changes it too
/// without an announcement of its own.
package final class IdlenessWatch: EventSource {
    /// Between two questions.
    private static let pause = TimeSpan.minutes(5)

    private let logind: BusService
    private var look = Instant(nanoseconds: 0)

    /// Whether work waits.
    package var isWanted = false {
        didSet { if isWanted && !oldValue { look = Instant(nanoseconds: 0) } }
    }

    package init(logind: BusService) { self.logind = logind }

    /// Hears of sessions that begin and end. Before the bus is attached.
    func hearSessions(from bus: SystemBus) {
        for member in ["SessionNew", "SessionRemoved"] {
            bus.onSignal(
                of: logind, path: BusServices.logindPath, interface: BusServices.logindInterface, member: member
            ) { [weak logind] _ in logind?.read() }
        }
    }

    package func attach(to registry: any SourceRegistry) {}
    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}

    package var nextDeadline: Instant { isWanted && logind.values[0] == .bool(false) ? look : .distantFuture }

    package func advance(to now: ClockReading) {
        guard nextDeadline <= now.instant else { return }
        logind.read()
        look = now.instant + Self.pause
    }

    package func close() { isWanted = false }
}
