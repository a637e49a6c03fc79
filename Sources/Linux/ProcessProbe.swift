import CLinux
import Glibc

/// Looks at single processes, and signals them without the risk of a reused pid.
package enum ProcessProbe {
    /// A pidfd of `pid`, which stays that process whatever becomes of the number.
    package static func open(_ pid: Int32) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_pidfd_open(pid), "pidfd_open"))
    }

    /// Signals the process of a pidfd; one that has ended is no error.
    package static func signal(_ pidfd: Int32, _ signal: Int32) throws(SystemError) {
        let result = clinux_pidfd_signal(pidfd, signal)
        guard result < 0, result != -ESRCH else { return }
        throw SystemError("pidfd_send_signal", code: -result)
    }

    /// Whether the process of a pidfd has ended, reaped or not.
    package static func hasEnded(_ pidfd: Int32) -> Bool {
        var request = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    /// CPU time of a process with all its threads, in nanoseconds; nil once it has been reaped.
    package static func cpuTime(of pid: Int32) -> Int64? {
        let nanoseconds = clinux_process_cpu_ns(pid)
        return nanoseconds < 0 ? nil : nanoseconds
    }

    /// CLOCK_MONOTONIC in nanoseconds.
    package static func monotonicTime() -> UInt64 { clinux_monotonic_ns() }
}
