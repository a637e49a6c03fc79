import TaskModel

/// Limits a flow of bytes to a rate: each piece waits for its time before it passes, so that many small files are no faster
/// than a long one. libcurl 7.88 has its own limits, which pass or hold 4 MB at once, depending on the buffer's size.
struct RateGate {
    /// Bytes a second; 0: as fast as they come.
    private var rate: Int64
    /// When all that has passed, and what waits, is paid for.
    private var paid = Instant(nanoseconds: 0)
    /// Bytes of those that wait which are counted already.
    private var charged = 0

    /// Bytes of so long a time pass together.
    private static let burst = TimeSpan.milliseconds(50)

    init(rate: Int64) { self.rate = rate }

    /// What waits passes at its next attempt.
    mutating func set(rate: Int64, at now: Instant) {
        self.rate = rate
        paid = now
    }

    /// nil: they may pass; else when to offer them again.
    mutating func pass(_ count: Int, at now: Instant) -> Instant? {
        guard rate > 0 else { return nil }
        paid = max(paid, now) + cost(of: max(0, count - charged))
        guard paid > now + Self.burst else {
            charged = 0
            return nil
        }
        charged = count
        return now + (paid - now - Self.burst)
    }

    private func cost(of count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: Int128(count) * 1_000_000_000 / Int128(rate)))
    }
}
