import CLinux
import Glibc

/// A timer that a thread sleeps on (timerfd_create(2), CLOCK_MONOTONIC).
package final class Countdown: Sendable {
    private let descriptor: Descriptor

    package init() throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_timerfd(), "timerfd_create"))
    }

    /// Expires once, this many nanoseconds from now, replacing an earlier time.
    package func arm(_ nanoseconds: Int64) { _ = clinux_timerfd_arm(descriptor.number, nanoseconds) }

    /// Sleeps until it has run out. False: its descriptor is another's, or closed, by code that is not ours.
    package func wait() -> Bool {
        var expirations: UInt64 = 0
        while true {
            if unsafe Glibc.read(descriptor.number, &expirations, 8) == 8 { return true }
            if errno != EINTR { return false }
        }
    }

    /// The same, after the text was unmapped that `ProgramText.note` has noted. Until a thread wakes up hardly any is mapped.
    package func waitWithoutText() -> Bool {
        var expirations: UInt64 = 0
        let length = unsafe clinux_read_without_text(descriptor.number, &expirations, 8)
        return length == 8 || length < 0 && errno == EINTR && wait()
    }
}
