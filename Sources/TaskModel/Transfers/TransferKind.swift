/// The kind of a background transfer. The numbers are stored, and those of `TASKHOST_TRANSFER_…`.
package enum TransferKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case download = 1
    case upload = 2

    /// The word used in JSON and on screens.
    package var name: String { String(describing: self) }
}
