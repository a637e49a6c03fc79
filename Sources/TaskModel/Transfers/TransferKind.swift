/// The kind of a background transfer. The numbers are stored, and those of `TASKHOST_TRANSFER_…`.
package enum TransferKind: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case download = 1
    case upload = 2
}
