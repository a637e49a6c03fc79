package import TaskModel

/// The time for deleting old runs. A calendar that is set forward, by mistake or by a broken clock, must not make all of the
/// past too old at once: it is trusted after the host has run for a day with it. A calendar that is set back is trusted at
/// once.
///
/// Sleep of the machine looks like a step and costs at most that day.
package struct RetentionClock: Sendable {
    /// How much the calendar may gain on the monotonic clock without doubt.
    package static let step = TimeSpan.minutes(60)
    package static let patience = TimeSpan.seconds(86_400)
    /// A record without any news for so long makes the calendar doubtful from the start.
    package static let longestSilence = TimeSpan.seconds(366 * 86_400)

    private var believed: Timestamp
    private var seen: Instant
    private var doubtedSince: Instant?

    /// - Parameter newest: the latest time in the record, before this host adds any; nil: the record is empty.
    package init(at now: ClockReading, newest: Timestamp?) {
        believed = now.time
        seen = now.instant
        guard let newest, now.time - newest > Self.longestSilence else { return }
        believed = newest
        doubtedSince = now.instant
    }

    package mutating func time(at now: ClockReading) -> Timestamp {
        let expected = believed + (now.instant - seen)
        seen = now.instant
        let since = doubtedSince ?? now.instant
        if now.time <= expected + Self.step || now.instant - since >= Self.patience {
            believed = now.time
            doubtedSince = nil
        } else {
            believed = expected
            doubtedSince = since
        }
        return believed
    }
}
