package import TaskModel

/// What the host is to do for transfers, in this order.
package enum TransferDecision: Sendable, BitwiseCopyable, Equatable {
    /// Order an attempt from the transfer process.
    case begin(TransferHandle)
    /// Let the attempt that goes on end; what is in the file stays. Its report says `stopped`.
    case stop(TransferHandle)
    /// It is over: it has this end. An attempt that went on is stopped as well.
    case end(TransferHandle, TransferError, TransferCancelReason?)
    /// Its application has to be asked whether a delayed request may begin (`willBeginDelayedRequest`).
    case askDelayed(TransferHandle)
    /// It waits for the network; said once each time.
    case waitsForNetwork(TransferHandle)
    /// What it may transfer a second from now on; 0: as much as it can.
    case rate(TransferHandle, Int64)
    /// The application of this session is to be resumed or launched to handle its events. Comes once, until the host says
    /// `eventsHandled`.
    case wake(SessionHandle)
}
