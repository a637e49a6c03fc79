import Glibc
import Record
import TaskModel
import TestSupport

/// The kinds of claim stores that have to pass the contract. A new one adds a case here, and what it needs below.
enum ClaimStoreKind: CaseIterable {
    /// `MemoryClaims` that answers at once.
    case memory
    /// The same, with calls and events under way for a while.
    case late
}

/// A fleet on one truth, and the hosts that the test has join it.
final class FleetUnderTest {
    /// One host: its store, and its clock.
    final class Host {
        fileprivate let claims: MemoryClaims

        fileprivate init(_ claims: MemoryClaims) { self.claims = claims }

        var store: any ClaimStore { claims }
        /// What its clock shows, which counts sleep.
        var now: Instant { claims.now }
        /// Its connection breaks, and comes back by itself.
        func cut() { claims.cut(for: .seconds(3)) }
    }

    /// The length of every lease of this fleet.
    let lease = TimeSpan.seconds(30)
    private let table: ClaimTable
    private let kind: ClaimStoreKind

    init(_ kind: ClaimStoreKind) {
        self.kind = kind
        table = ClaimTable(lease: lease)
    }

    /// A host joins, or starts again.
    func join() throws -> Host {
        let kind = kind
        var random = SeededGenerator(seed: 1)
        return Host(
            try MemoryClaims(table, clock: Instant(nanoseconds: 5_000_000_000)) { _ in
                guard kind == .late else { return .done() }
                return .done(
                    there: random.span(.milliseconds(1), .milliseconds(200)),
                    back: random.span(.milliseconds(1), .milliseconds(200)))
            })
    }

    /// Time passes for all of them.
    func pass(_ span: TimeSpan) { table.advance(to: table.now + span) }

    /// Events of the host for as long as usual answers take: all there are, in their order.
    func events(of host: Host) -> [ClaimEvent] {
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
