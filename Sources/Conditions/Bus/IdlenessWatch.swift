package import Linux
package import TaskModel

/// Queries logind again while work waits for an idle machine and the user is active: logind computes the idleness of
/// sessions on terminals only on request, and announces no change. Also queries at once when a user logs in or out, which
/// changes it without an announcement too.
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

    /// Subscribes to sessions that begin and end. Call it before the bus is attached.
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
