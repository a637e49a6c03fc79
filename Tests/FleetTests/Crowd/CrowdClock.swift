import Linux
import TaskModel

/// The machine's clocks, and who wants to be called when.
struct CrowdClock {
    private static let slot: UInt64 = 2_000_000

    /// What is to be called, by the moment in steps of two milliseconds.
    private var slots: [UInt64: [() -> Void]] = [:]
    private var last = Self.now.instant.nanoseconds / Self.slot

    /// Hosts go by the clock of leases, which counts sleep. The calendar is as far ahead of it as it was at first: of two clocks
    /// that are read one after the other, one may be read much later.
    static var now: ClockReading {
        let instant = Instant(nanoseconds: Clock.sinceBoot())
        return ClockReading(instant: instant, time: Timestamp(nanoseconds: Int64(instant.nanoseconds) + ahead))
    }

    private static let ahead: Int64 = {
        let readings = (0..<100).map { _ in
            let (before, time, after) = (Clock.sinceBoot(), Clock.moment().time, Clock.sinceBoot())
            return (took: after - before, ahead: time.nanoseconds - Int64(before))
        }
        return readings.min { $0.took < $1.took }?.ahead ?? 0
    }()

    mutating func add(at moment: Instant, _ action: @escaping () -> Void) {
        slots[max(last, moment.nanoseconds / Self.slot) + 1, default: []].append(action)
    }

    /// What is due, in order.
    mutating func takeDue() -> [() -> Void] {
        let present = Self.now.instant.nanoseconds / Self.slot
        guard present > last else { return [] }
        var due: [() -> Void] = []
        for slot in last + 1...present { due += slots.removeValue(forKey: slot) ?? [] }
        last = present
        return due
    }
}
