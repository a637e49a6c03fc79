import CLinux
import Glibc
package import TaskModel

/// The machine's clocks, read only in the composition: engines receive the time.
package enum Clock {
    package static func moment() -> ClockReading {
        ClockReading(
            instant: Instant(nanoseconds: monotonic()), time: Timestamp(nanoseconds: nanoseconds(CLOCK_REALTIME)))
    }

    /// CLOCK_MONOTONIC in nanoseconds.
    package static func monotonic() -> UInt64 { UInt64(nanoseconds(CLOCK_MONOTONIC)) }

    /// The time since a moment of `monotonic`.
    package static func span(since begin: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: monotonic() - begin))
    }

    /// CLOCK_BOOTTIME in nanoseconds, which continues while the machine sleeps.
    package static func sinceBoot() -> UInt64 { UInt64(nanoseconds(CLOCK_BOOTTIME)) }

    /// CLOCK_THREAD_CPUTIME_ID: processor time of the calling thread. It stands still while others have the processor.
    package static func threadTime() -> TimeSpan { TimeSpan(nanoseconds: nanoseconds(CLOCK_THREAD_CPUTIME_ID)) }

    /// How far the wall clock may be from the true time, as what sets it says (adjtimex(2)).
    ///
    /// - Returns: nil: nothing sets the clock.
    package static func error() throws(SystemError) -> TimeSpan? {
        let microseconds = clinux_clock_error()
        guard microseconds >= 0 else { throw SystemError("adjtimex", code: Int32(-microseconds)) }
        // The kernel lets the error grow up to here when nobody tells it better (NTP_PHASE_LIMIT).
        return microseconds < 16_000_000 ? TimeSpan(nanoseconds: microseconds * 1000) : nil
    }

    /// What files are stamped with at present.
    package static func fileTime() -> Timestamp { Timestamp(nanoseconds: nanoseconds(CLOCK_REALTIME_COARSE)) }

    /// Of a clock that every process has; 0 of another.
    static func nanoseconds(_ clock: clockid_t) -> Int64 { reading(clock) ?? 0 }

    /// nil: there is no such clock (clock_gettime(2)), such as that of a process that has been reaped.
    static func reading(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Lets the thread sleep, for a while that nothing announces the end of.
    package static func pause(_ span: TimeSpan) {
        var left = timespec(
            tv_sec: Int(span.nanoseconds / 1_000_000_000), tv_nsec: Int(span.nanoseconds % 1_000_000_000))
        var rest = timespec()
        while unsafe nanosleep(&left, &rest) != 0 && errno == EINTR { left = rest }
    }
}
