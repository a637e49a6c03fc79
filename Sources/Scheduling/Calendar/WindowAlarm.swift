package import TaskModel

/// When windows have to be computed next, regardless of changes of the clocks.
package struct WindowAlarm: Sendable, Equatable {
    private let looked: Timestamp
    /// nil: they stay as they are.
    private let next: Timestamp?

    /// They are computed now.
    package init(_ windows: WorkWindows, at time: Timestamp) {
        looked = time
        next = windows.next(after: time)?.at
    }

    /// The monotonic time by both clocks at present; at once when the calendar was set back before the last
    /// computation.
    package func deadline(at now: ClockReading) -> Instant {
        if now.time < looked { return now.instant }
        guard let next else { return .distantFuture }
        return next <= now.time ? now.instant : now.instant + (next - now.time)
    }
}
