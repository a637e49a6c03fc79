/// How the program of a run ended (wait(2)).
package enum ProgramEnd: Sendable, Equatable, BitwiseCopyable {
    /// By itself, with a status from 0 to 255.
    case exited(Int32)
    /// By a signal.
    case killed(signal: Int32)

    /// The status of a program that asks to be run again later (EX_TEMPFAIL of sysexits.h).
    package static let later = ProgramEnd.exited(75)
    /// The status with which a shell says that there is no such program (sh(1p), "Exit status for commands").
    package static let missing = ProgramEnd.exited(127)

    /// Whether the signal asks a program to end, as users, shells and timeout(1) do: SIGHUP, SIGINT, SIGPIPE, SIGTERM (signal(7)).
    package static func isRequested(bySignal signal: Int32) -> Bool { [1, 2, 13, 15].contains(signal) }
}
