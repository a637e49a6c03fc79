package import TaskModel
package import Transfers

/// A transfer for clients: as recorded, with what only a daemon knows of it.
package struct TransferView: Sendable, Equatable {
    /// Its counts are the newest: of the end, or of the attempt that is under way; and so is its state.
    package var transfer: BackgroundTransfer
    /// Why it waits; nil: it runs, or is over, or there is no daemon.
    package var waiting: TransferWaiting?
    /// Recent bytes a second; nil: it does not run.
    package var rate: Int64?

    /// As recorded; a daemon adds `waiting`, `rate` and newer counts.
    package init(_ recorded: BackgroundTransfer) {
        transfer = recorded
        transfer.takeCountsOfEnd()
    }
}
