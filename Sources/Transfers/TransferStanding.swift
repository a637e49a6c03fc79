/// The state of an application's process, for the policy.
package enum TransferStanding: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// In the foreground: it receives events at once, and is never launched for them.
    case foreground
    /// In the background: under an assertion, in a run, or launched for events.
    case background
    /// Frozen: it receives nothing until it is resumed.
    case suspended
    case notRunning
}
