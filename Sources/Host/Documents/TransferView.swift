package import Record
package import TaskModel
package import Transfers

/// A transfer as lists, the API and screens show it: no header of it, and neither user, password nor query of its URL.
package struct TransferView: Sendable, Equatable {
    package var id: Int64
    package var application: String
    /// The session's identifier.
    package var session: String
    /// `taskIdentifier`.
    package var number: UInt32
    package var kind: TransferKind
    /// `scheme://host:port/path`.
    package var url: String
    package var state: TransferState
    /// Why it waits; nil: it runs, or is over, or there is no daemon.
    package var waiting: TransferWaiting?
    package var received: Int64
    package var sent: Int64
    /// Of the body that is received or sent; nil: unknown.
    package var total: Int64?
    /// Recent bytes a second; nil: it does not run.
    package var rate: Int64?
    package var attempts: UInt32
    /// Of the newest answer; 0: none.
    package var status: UInt16
    /// That the newest attempt was connected to; empty: none.
    package var address: String
    /// Not before; nil: whenever it may.
    package var nextTry: Timestamp?
    /// What ended the newest attempt; empty: nothing did.
    package var lastFault: String
    package var created: Timestamp
    package var ended: Timestamp?
    /// nil: it succeeded, or is not over.
    package var error: TransferError?
    package var cancelReason: TransferCancelReason?
    /// Its result, for display; empty: none.
    package var sentence: String
    /// The finished file, or the answer to an upload, in the application's folder; empty: there is none.
    package var file: String
    /// Of an upload: the file that is sent; else empty.
    package var source: String

    /// As recorded; a daemon adds `waiting`, `rate` and newer counts.
    package init(_ recorded: RecordedTransfer) {
        let transfer = recorded.transfer
        let (progress, end) = (transfer.progress, transfer.end)
        id = transfer.id
        application = recorded.application
        session = recorded.session
        number = transfer.number
        kind = transfer.request.kind
        url = ShownURL.text(of: transfer.request.url)
        state = transfer.state
        received = end?.received ?? progress.received
        sent = end?.sent ?? progress.sent
        total = progress.total
        attempts = progress.attempts
        status = end.map(\.status) ?? progress.status
        address = progress.address
        nextTry = end == nil ? progress.nextTry : nil
        lastFault = progress.lastFault
        created = transfer.created
        ended = end?.at
        error = end?.error
        cancelReason = end?.cancelReason
        sentence = end?.sentence ?? ""
        file = end?.file ?? ""
        source = transfer.request.file
    }
}
