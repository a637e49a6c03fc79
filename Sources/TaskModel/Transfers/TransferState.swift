/// The state of a transfer. The numbers are stored.
package enum TransferState: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// It was not resumed yet, or is suspended.
    case suspended = 1
    /// It may go as soon as its date, the conditions and its place in the queue let it.
    case waiting = 2
    /// It runs. After a crash it counts as `waiting`.
    case running = 3
    /// Its application has to answer first.
    case asking = 4
    /// It is over, and its application has not taken note of that yet.
    case ended = 5
    /// Its application has taken note: it is kept for the list only.
    case delivered = 6

    /// It is not over.
    package var isOpen: Bool { rawValue < Self.ended.rawValue }
}
