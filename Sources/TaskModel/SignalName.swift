/// Names of the signals that end programs (signal(7)).
package enum SignalName {
    /// Such as `SIGSEGV`; nil: a signal that ends no program by default.
    package static func name(of signal: Int32) -> String? {
        switch signal {
        case 1: "SIGHUP"
        case 2: "SIGINT"
        case 3: "SIGQUIT"
        case 4: "SIGILL"
        case 5: "SIGTRAP"
        case 6: "SIGABRT"
        case 7: "SIGBUS"
        case 8: "SIGFPE"
        case 9: "SIGKILL"
        case 10: "SIGUSR1"
        case 11: "SIGSEGV"
        case 12: "SIGUSR2"
        case 13: "SIGPIPE"
        case 14: "SIGALRM"
        case 15: "SIGTERM"
        case 24: "SIGXCPU"
        case 25: "SIGXFSZ"
        case 31: "SIGSYS"
        default: nil
        }
    }

    /// Number and name for display: `11 (SIGSEGV)`.
    package static func words(_ signal: Int32) -> String {
        name(of: signal).map { "\(signal) (\($0))" } ?? "\(signal)"
    }
}
