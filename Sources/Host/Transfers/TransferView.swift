package import Record
package import TaskModel
package import Transfers

/// A transfer as recorded, with what only a daemon knows of it.
package struct TransferView: Sendable, Equatable {
    package let recorded: RecordedTransfer
    package var state: TransferState
    /// Why it waits; nil: it runs, or is over, or there is no daemon.
    package var waiting: TransferWaiting?
    /// Recent bytes a second; nil: it does not run.
    package var rate: Int64?
    /// The newest counts: of the end, or of the attempt that is under way.
    package var progress: TransferProgress

    /// As recorded; a daemon adds `waiting`, `rate` and newer counts.
    package init(_ recorded: RecordedTransfer) {
        self.recorded = recorded
        state = recorded.transfer.state
        progress = recorded.transfer.progress
        guard let end = recorded.transfer.end else { return }
        (progress.received, progress.sent, progress.status) = (end.received, end.sent, end.status)
    }
}
