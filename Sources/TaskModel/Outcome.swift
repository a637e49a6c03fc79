/// The outcome of a run. The numbers are stored and sent on the wire; they are never reused.
package enum Outcome: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case succeeded = 1
    case failed = 2
    /// It completed after the warning, in time.
    case expired = 3
    /// It was killed at the end of its wall-clock budget.
    case overran = 4
    case exceededCPU = 5
    case exceededMemory = 6
    /// A signal ended the process.
    case crashed = 7
    /// The process left without completing.
    case exited = 8
    /// The last reference to the task went without completing it.
    case unreported = 9
    /// The host died or stopped, or a sibling run had to be killed.
    case interrupted = 10
    /// The user cancelled it.
    case cancelled = 11
    /// It could not be started; the diagnostics say why.
    case refused = 12
    /// It was killed for keeping more in its folders than its budget.
    case exceededDisk = 13
    /// Its handler deferred it: its request waits until the requested time.
    case deferred = 14

    /// The exit status of `taskhost run` for this outcome.
    package var exitStatus: Int32 { row.exitStatus }

    /// Whether a manifest's `onFailure` answers it, when it is not tried again.
    package var isFailure: Bool { row.isFailure }

    /// The exit status of several runs: the largest, but a deferred run counts less than any that failed.
    package static func exitStatus(_ a: Int32, _ b: Int32) -> Int32 {
        func weight(_ status: Int32) -> Int32 { status == OutcomeRow.later ? 1 : status * 2 }
        return weight(a) < weight(b) ? b : a
    }
}
