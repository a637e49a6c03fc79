package import TaskModel

/// When windows are to be looked at next, whatever is done to the clocks meanwhile.
package struct WindowAlarm: Sendable, Equatable {
    private let looked: Timestamp
    /// nil: they stay as they are.
    private let next: Timestamp?

    /// They are looked at now.
    package init(_ windows: WorkWindows, at time: Timestamp) {
        looked = time
        next = windows.next(after: time)?.at
    }

    /// The monotonic time by both clocks as they are now; at once when the calendar was set back behind the last look.
    package func deadline(at now: ClockReading) -> Instant {
        if now.time < looked { return now.instant }
        guard let next else { return .distantFuture }
        return next <= now.time ? now.instant : now.instant + (next - now.time)
    }
}
