package import TaskModel

/// What the host is to do for transfers, in this order.
package enum TransferDecision: Sendable, BitwiseCopyable, Equatable {
    /// Order an attempt from the transfer process.
    case begin(TransferHandle)
    /// Stop the attempt in progress; the bytes in its file stay. Its report says `stopped`.
    case stop(TransferHandle)
    /// It is over, with this end. An attempt in progress is stopped as well.
    case end(TransferHandle, TransferError, TransferCancelReason?)
    /// Ask its application whether a delayed request may begin (`willBeginDelayedRequest`).
    case askDelayed(TransferHandle)
    /// No process answers that question any more: the transfer begins with the request that it has.
    case withdrawQuestion(TransferHandle)
    /// It waits for the network; reported once each time.
    case waitsForNetwork(TransferHandle)
    /// Its new rate in bytes a second; 0: unlimited.
    case rate(TransferHandle, Int64)
    /// The application of this session is to be resumed or launched to handle its events. Comes once, until the host calls
    /// `eventsHandled`.
    case wake(SessionHandle)
}
