import CLinux

/// Becomes readable when the wall clock is set, or the machine resumes from sleep (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
package struct ClockChanges: ~Copyable, Sendable {
    package let descriptor: Descriptor

    package init() throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_clock_watch(), "timerfd(TFD_TIMER_CANCEL_ON_SET)"))
    }

    /// Whether the clock was set since the last call.
    package borrowing func take() -> Bool { clinux_clock_watch_read(descriptor.number) != 0 }
}
