/// The result of a transfer.
package struct TransferEnd: Sendable, Equatable {
    package var at: Timestamp
    /// Ends of one session are delivered in this order; grows with each end of this host.
    package var order: Int64
    /// nil: it succeeded, regardless of the server's status.
    package var error: TransferError?
    package var cancelReason: TransferCancelReason?
    /// Of the answer; 0: there was none.
    package var status: UInt16 = 0
    /// For display; empty: none.
    package var sentence = ""
    /// The URL that answered.
    package var url = ""
    package var headers: [HTTPHeader] = []
    package var received: Int64 = 0
    package var sent: Int64 = 0
    /// The size of the whole body, received or sent; nil: unknown. Filled in for delivery: the record has it with the
    /// progress.
    package var expectedReceive: Int64?
    package var expectedSend: Int64?
    /// The finished file of a download, or the answer to an upload, in the application's folder; empty: there is none.
    package var file = ""
    /// Lets another task continue where this one stopped; empty: none.
    package var resumeData: [UInt8] = []

    package init(at moment: Timestamp, order: Int64, error: TransferError? = nil) {
        at = moment
        self.order = order
        self.error = error
    }
}
