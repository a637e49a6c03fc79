/// One reading of both clocks, taken once per turn of the loop: the monotonic one decides, the calendar is recorded.
package struct ClockReading: Hashable, Sendable, BitwiseCopyable {
    package var instant: Instant
    package var time: Timestamp

    package init(instant: Instant, time: Timestamp) {
        self.instant = instant
        self.time = time
    }
}
