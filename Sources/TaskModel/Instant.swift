/// A moment of the monotonic clock (CLOCK_MONOTONIC, nanoseconds). Deadlines are instants; calendars are `Timestamp`s.
package struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }
    package static let distantFuture = Instant(nanoseconds: .max)

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
    /// Saturates at `distantFuture`.
    package static func + (a: Instant, b: TimeSpan) -> Instant {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(UInt64(max(0, b.nanoseconds)))
        return overflow ? .distantFuture : Instant(nanoseconds: sum)
    }
    /// Zero when `b` is later than `a`.
    package static func - (a: Instant, b: Instant) -> TimeSpan {
        a > b ? TimeSpan(nanoseconds: Int64(clamping: a.nanoseconds - b.nanoseconds)) : .zero
    }
}
