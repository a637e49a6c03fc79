/// How long a handler asks its request to wait because now is not the time.
package struct Deferral: Sendable, BitwiseCopyable, Equatable {
    package static let shortest = TimeSpan.seconds(1)
    package static let longest = TimeSpan.seconds(7 * 86_400)
    /// After this many in a row, without another outcome between them, the pause is no shorter than that after a
    /// failure.
    package static let mostInRow = UInt8(Limit.deferrals.most)

    package let pause: TimeSpan

    /// nil outside of `shortest...longest`.
    package init?(_ pause: TimeSpan) {
        guard pause >= Self.shortest, pause <= Self.longest else { return nil }
        self.pause = pause
    }

    /// nil outside of `shortest...longest`, and for NaN.
    package init?(seconds: Double) {
        guard seconds >= Self.shortest.seconds, seconds <= Self.longest.seconds else { return nil }
        pause = TimeSpan(nanoseconds: Int64((seconds * 1e9).rounded()))
    }
}
