import Fleet
import Glibc
import Linux
import Record
import TaskModel
import TestSupport

/// The kinds of claim stores that have to pass the contract. A new one adds a case here, and what it needs below.
enum ClaimStoreKind: CaseIterable {
    /// `MemoryClaims` that answers at once.
    case memory
    /// The same, with calls and events under way for a while.
    case late
    /// `PostgresClaims` with a real server.
    case postgres
}

/// A host of a fleet under test: its store, and its clock.
protocol FleetHost: AnyObject {
    var store: any ClaimStore { get }
    /// What its clock shows, which counts sleep.
    var now: Instant { get }
    /// Its connection breaks, and comes back by itself.
    func cut() throws
}

/// A fleet on one truth, and the hosts that the test has join it.
protocol FleetWorld: AnyObject {
    /// A host joins, or starts again.
    func join() throws -> any FleetHost
    /// Time passes for all of them.
    func pass(_ span: TimeSpan) throws
    /// Events of the host for as long as usual answers take: all there are, in their order.
    func events(of host: any FleetHost) throws -> [ClaimEvent]
    /// Answers to its calls arrive; none is taken.
    func hear(_ host: any FleetHost) throws
}

/// The world of a kind.
final class FleetUnderTest {
    /// The length of every lease of this fleet.
    let lease = TimeSpan.seconds(30)
    private let world: any FleetWorld

    init(_ kind: ClaimStoreKind) throws {
        world =
            switch kind {
            case .memory, .late: MemoryFleet(isLate: kind == .late, lease: lease)
            case .postgres: try PostgresFleet(lease: lease)
            }
    }

    func join() throws -> any FleetHost { try world.join() }
    func pass(_ span: TimeSpan) throws { try world.pass(span) }
    func events(of host: any FleetHost) throws -> [ClaimEvent] { try world.events(of: host) }
    func hear(_ host: any FleetHost) throws { try world.hear(host) }
}

/// Hosts on a table in memory, whose time stands still between calls of `pass`.
final class MemoryFleet: FleetWorld {
    private final class Host: FleetHost {
        let claims: MemoryClaims

        init(_ claims: MemoryClaims) { self.claims = claims }

        var store: any ClaimStore { claims }
        var now: Instant { claims.now }
        func cut() { claims.cut(for: .seconds(3)) }
    }

    private let table: ClaimTable
    private let isLate: Bool

    init(isLate: Bool, lease: TimeSpan) {
        self.isLate = isLate
        table = ClaimTable(lease: lease)
    }

    func join() throws -> any FleetHost {
        let isLate = isLate
        var random = SeededGenerator(seed: 1)
        return Host(
            try MemoryClaims(table, clock: Instant(nanoseconds: 5_000_000_000)) { _ in
                guard isLate else { return .done() }
                return .done(
                    there: random.span(.milliseconds(1), .milliseconds(200)),
                    back: random.span(.milliseconds(1), .milliseconds(200)))
            })
    }

    func hear(_ host: any FleetHost) { pass(.seconds(1)) }
    func pass(_ span: TimeSpan) { table.advance(to: table.now + span) }

    func events(of host: any FleetHost) throws -> [ClaimEvent] {
        var events: [ClaimEvent] = []
        for _ in 0..<10 {
            while let event = host.store.takeEvent() { events.append(event) }
            pass(.milliseconds(100))
        }
        return events
    }
}

/// poll(2) says so.
func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
}
