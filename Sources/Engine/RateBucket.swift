package import TaskModel

/// What may be taken at a steady rate, with a reserve of one second's worth. A value without a clock.
///
/// It holds one number, the moment up to which everything taken is paid for (the virtual scheduling of generic cell rate
/// control): each unit moves that on by its price, and time catches up with it.
package struct RateBucket: Sendable, BitwiseCopyable {
    private static let reserve = TimeSpan.seconds(1)

    /// How long one unit takes to be there again.
    private let price: TimeSpan
    /// Nanoseconds of the monotonic clock; signed, for it may lie before the clock's beginning.
    private var paid = Int64.min / 2

    /// - Parameter price: how long one unit takes to be there again.
    package init(price: TimeSpan) { self.price = price }

    /// Takes so many units, whether they are there or not.
    package mutating func take(_ units: Int, at now: Instant) {
        paid = max(paid, Int64(clamping: now.nanoseconds) - Self.reserve.nanoseconds)
        paid += price.nanoseconds * Int64(units)
    }

    /// Gives so many units beyond what time brings. The reserve does not grow by it.
    package mutating func give(_ units: Int) {
        paid = max(Int64.min / 2, paid - price.nanoseconds * Int64(units))
    }

    /// Whether more was taken than was there.
    package func isOverdrawn(at now: Instant) -> Bool { paid > Int64(clamping: now.nanoseconds) }

    /// When so many units will be there.
    package func moment(of units: Int) -> Instant {
        Instant(nanoseconds: UInt64(max(0, paid + price.nanoseconds * Int64(units))))
    }

    /// Whether at least half of the reserve is there.
    package func isRested(at now: Instant) -> Bool {
        paid <= Int64(clamping: now.nanoseconds) - Self.reserve.nanoseconds / 2
    }
}
