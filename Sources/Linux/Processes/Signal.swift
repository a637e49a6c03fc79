import CLinux
import Glibc

/// A signal, by the kernel's names (signal(7)).
package struct Signal: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let SIGCHLD = Signal(rawValue: Glibc.SIGCHLD)
    package static let SIGCONT = Signal(rawValue: Glibc.SIGCONT)
    package static let SIGHUP = Signal(rawValue: Glibc.SIGHUP)
    package static let SIGINT = Signal(rawValue: Glibc.SIGINT)
    package static let SIGKILL = Signal(rawValue: Glibc.SIGKILL)
    package static let SIGPIPE = Signal(rawValue: Glibc.SIGPIPE)
    package static let SIGQUIT = Signal(rawValue: Glibc.SIGQUIT)
    package static let SIGSEGV = Signal(rawValue: Glibc.SIGSEGV)
    package static let SIGSTOP = Signal(rawValue: Glibc.SIGSTOP)
    package static let SIGTERM = Signal(rawValue: Glibc.SIGTERM)
    package static let SIGTSTP = Signal(rawValue: Glibc.SIGTSTP)
    package static let SIGTTIN = Signal(rawValue: Glibc.SIGTTIN)
    package static let SIGUSR1 = Signal(rawValue: Glibc.SIGUSR1)
    package static let SIGUSR2 = Signal(rawValue: Glibc.SIGUSR2)
    package static let SIGWINCH = Signal(rawValue: Glibc.SIGWINCH)
    package static let SIGXFSZ = Signal(rawValue: Glibc.SIGXFSZ)

    /// From now on this process, and programs that it executes, ignore it.
    package static func ignore(_ signal: Signal) { _ = Glibc.signal(signal.rawValue, SIG_IGN) }

    /// From now on it has its default effect on this process.
    package static func restore(_ signal: Signal) { _ = Glibc.signal(signal.rawValue, SIG_DFL) }

    /// From now on it has no effect on this process, and its default effect on programs that it executes.
    package static func outlive(_ signal: Signal) { _ = clinux_outlive_signal(signal.rawValue) }

    /// Ends this process as the signal does by default.
    package static func die(by signal: Signal) -> Never {
        clinux_die_by_signal(signal.rawValue)
        exit(1)
    }

    /// Number and name for display, `11 (SIGSEGV)`; the number alone for a realtime signal.
    package static func words(_ number: Int32) -> String {
        name(number).map { "\(number) (\($0))" } ?? "\(number)"
    }

    /// Its name, `SIGSEGV`; nil for a realtime signal.
    package static func name(_ number: Int32) -> String? {
        unsafe clinux_signal_name(number).map { "SIG" + (unsafe String(cString: $0)) }
    }
}
