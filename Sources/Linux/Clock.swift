import CLinux
import Glibc
package import TaskModel

/// The machine's clocks, read only in the composition: engines receive the time.
package enum Clock {
    package static func moment() -> ClockReading {
        ClockReading(
            instant: Instant(nanoseconds: clinux_monotonic_ns()), time: Timestamp(nanoseconds: clinux_realtime_ns()))
    }

    /// CLOCK_MONOTONIC in nanoseconds.
    package static func monotonic() -> UInt64 { clinux_monotonic_ns() }

    /// CLOCK_BOOTTIME in nanoseconds, which continues while the machine sleeps.
    package static func sinceBoot() -> UInt64 { clinux_boottime_ns() }

    /// What files are stamped with at present.
    package static func fileTime() -> Timestamp { Timestamp(nanoseconds: clinux_realtime_coarse_ns()) }

    /// 80 random bits for an id.
    package static func randomBits() -> (high: UInt16, low: UInt64) {
        var bits: (UInt64, UInt64) = (0, 0)
        let filled = unsafe withUnsafeMutableBytes(of: &bits) { unsafe clinux_random($0.baseAddress, $0.count) }
        precondition(filled == 16, "getrandom fills 16 bytes at once (getrandom(2))")
        return (UInt16(truncatingIfNeeded: bits.0), bits.1)
    }

    /// Lets the thread sleep, for a while that nothing announces the end of.
    package static func pause(_ span: TimeSpan) {
        var left = timespec(
            tv_sec: Int(span.nanoseconds / 1_000_000_000), tv_nsec: Int(span.nanoseconds % 1_000_000_000))
        var rest = timespec()
        while unsafe nanosleep(&left, &rest) != 0 && errno == EINTR { left = rest }
    }
}
