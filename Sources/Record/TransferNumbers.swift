/// The highest numbers ever given, including deleted ones; 0: none.
package struct TransferNumbers: Sendable, Equatable, BitwiseCopyable {
    /// `StoredSession.id`.
    package var session: Int64
    /// `BackgroundTransfer.id`.
    package var transfer: Int64
    /// `TransferEnd.order`, among the ends that the record still has.
    package var order: Int64

    package init(session: Int64, transfer: Int64, order: Int64) {
        self.session = session
        self.transfer = transfer
        self.order = order
    }
}
