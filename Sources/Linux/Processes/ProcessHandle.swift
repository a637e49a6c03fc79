import CLinux
import Glibc

/// A process held by its pidfd: it refers to that process even if the number is reused.
package struct ProcessHandle: ~Copyable, Sendable {
    /// Readable once the process has ended.
    package let descriptor: Descriptor

    package init(opening pid: Int32) throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_pidfd_open(pid), "pidfd_open"))
    }

    /// Takes over the pidfd.
    package init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// One that has ended is not an error.
    package borrowing func signal(_ signal: Signal) throws(SystemError) {
        let result = clinux_pidfd_signal(descriptor.number, signal.rawValue)
        guard result < 0, result != -ESRCH else { return }
        throw SystemError("pidfd_send_signal", code: -result)
    }

    /// Whether it has ended, reaped or not.
    package var hasEnded: Bool { descriptor.isReady(.readable) }

    /// Gives the raw pidfd away; the receiver closes it.
    package consuming func take() -> Int32 { descriptor.take() }
}

extension ProcessHandle {
    /// Signals the process that has the number now: only for processes that have not been reaped.
    @discardableResult
    package static func signal(pid: Int32, _ signal: Signal) -> Bool { kill(pid, signal.rawValue) == 0 }

    /// Whether the process is there, and may not be signalled by this one (kill(2)).
    package static func isBeyondReach(_ pid: Int32) -> Bool { kill(pid, 0) != 0 && errno == EPERM }

    /// Signals all processes of a group.
    @discardableResult
    package static func signal(group: Int32, _ signal: Signal) -> Bool { kill(-group, signal.rawValue) == 0 }

    /// Its process group; nil: there is no such process.
    package static func group(of pid: Int32) -> Int32? {
        let group = getpgid(pid)
        return group < 0 ? nil : group
    }

    /// CPU time of a process with all its threads, in nanoseconds: 0 before it first had a processor, nil once it has been reaped.
    package static func cpuTime(of pid: Int32) -> Int64? {
        var clock = clockid_t()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0 else { return nil }
        return Clock.reading(clock)
    }
}
