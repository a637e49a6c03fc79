import CLinux
import Glibc

/// How a child ended, and its usage with all its threads.
package struct ProcessEnd: Sendable, Equatable {
    package var pid: Int32
    /// The signal that ended it; nil: it exited, with `status`.
    package var signal: Signal?
    package var status: Int32
    /// In nanoseconds.
    package var cpu: Int64
    /// Highest resident size, in bytes.
    package var peak: UInt64

    init(_ end: clinux_exit_t) {
        pid = end.pid
        signal = end.signal == 0 ? nil : Signal(rawValue: end.signal)
        status = end.status
        cpu = end.cpu_ns
        peak = end.peak_bytes
    }

    /// Takes the next child that has ended, whichever it is, which frees its number; nil: none has.
    package static func reapNext() -> ProcessEnd? {
        var end = clinux_exit_t()
        return unsafe clinux_reap(&end) == 1 ? ProcessEnd(end) : nil
    }

    /// Waits until a child has ended, and leaves it to be reaped; nil: this process has none.
    package static func awaitNext() -> Int32? {
        let pid = clinux_await_child()
        return pid < 0 ? nil : pid
    }

    /// Reaps a child that has ended; nothing happens if it is reaped already.
    package static func reap(_ pid: Int32) {
        var end = clinux_exit_t()
        _ = unsafe clinux_wait(pid, &end)
    }

    /// Whether this process has children, ended ones among them.
    package static var hasChildren: Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 || errno != ECHILD
    }
}
