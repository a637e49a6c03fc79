import TaskModel

/// An attempt that is under way.
struct TransferAttempt {
    let kind: TransferKind
    var progress: TransferProgress
    /// Of an upload: its size.
    var size: Int64 = 0
    /// The renewed credential that it shows; nil: none.
    var shown: String?
    /// Of the answer.
    var response: TransferResponse?
    /// Its end when the process has stopped it: it was cancelled, or timed out.
    var end: (error: TransferError, reason: TransferCancelReason?)?
    /// It may not write more than its application's other files leave of the disk.
    var isBounded = false
    /// Why there is no room for it beside the application's other files: it is being stopped; nil: there is.
    var crowding: String?
    /// Its progress has to be written with this turn.
    var isDirty = false
    /// It has finished, and its application's folders were weighed since.
    var isWeighed = false
    /// Recent bytes a second.
    var pace = TransferPace()
}

/// How fast bytes come, over the last seconds.
struct TransferPace {
    private(set) var rate: Int64 = 0
    private var since: Instant?
    private var bytes: Int64 = 0

    private static let fastest = 1e15

    /// This many bytes have arrived by now.
    mutating func take(_ total: Int64, at now: Instant) {
        guard let since else {
            (self.since, bytes) = (now, total)
            return
        }
        let span = now - since
        guard span >= .milliseconds(500) else { return }
        // Whatever the transfer process says.
        let fresh = min(max(0, Double(total.subtractingWithSaturation(bytes)) / span.seconds), Self.fastest)
        rate = rate == 0 ? Int64(fresh) : Int64(Double(rate) * 0.5 + fresh * 0.5)
        (self.since, bytes) = (now, total)
    }
}
