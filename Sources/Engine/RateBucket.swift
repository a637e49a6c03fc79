package import TaskModel

/// What may be taken at a steady rate, with a reserve of one second's worth. A value without a clock.
///
/// It holds one number, the time up to which everything taken is paid for (virtual scheduling of the generic cell rate
/// algorithm): each unit advances it by its price, and time catches up with it.
package struct RateBucket: Sendable, BitwiseCopyable {
    private static let reserve = TimeSpan.seconds(1)

    /// How long one unit takes to be there again.
    private let price: TimeSpan
    /// Nanoseconds of the monotonic clock; signed, because it may be before the clock's start.
    private var paid = Int64.min / 2

    /// - Parameter price: how long one unit takes to be there again.
    package init(price: TimeSpan) { self.price = price }

    /// Takes these units, whether they are available or not.
    package mutating func take(_ units: Int, at now: Instant) {
        paid = max(paid, Int64(clamping: now.nanoseconds) - Self.reserve.nanoseconds)
        paid += price.nanoseconds * Int64(units)
    }

    /// Adds units beyond those that time brings. The maximum does not grow.
    package mutating func give(_ units: Int) {
        paid = max(Int64.min / 2, paid - price.nanoseconds * Int64(units))
    }

    /// Whether more was taken than was there.
    package func isOverdrawn(at now: Instant) -> Bool { paid > Int64(clamping: now.nanoseconds) }

    /// When this many units will be available.
    package func moment(of units: Int) -> Instant {
        Instant(nanoseconds: UInt64(max(0, paid + price.nanoseconds * Int64(units))))
    }

    /// Whether at least half of the reserve is there.
    package func isRested(at now: Instant) -> Bool {
        paid <= Int64(clamping: now.nanoseconds) - Self.reserve.nanoseconds / 2
    }
}
