/// Where the process of an application stands, as far as its transfers go.
package enum TransferStanding: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// In front of a person: it is told at once, and never woken.
    case foreground
    /// It runs behind others: under an assertion, in a run, or in a wake of its own.
    case background
    /// Frozen: it hears nothing until it is resumed.
    case suspended
    case notRunning
}
