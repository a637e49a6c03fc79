import TaskModel
import Transfers

// What the transfer queue knows about transfers, and its decisions. Commands go by `ask`.
extension Decider {
    /// The transfer's state; nil: it is no longer known.
    func transferState(of transfer: TransferHandle) -> TransferState? { transfers.state(of: transfer) }

    /// Whether the transfer is known, and not over.
    func isOpen(_ transfer: TransferHandle) -> Bool { transfers.state(of: transfer)?.isOpen == true }

    /// An attempt is to be ordered, or goes on: it has a place, and no end.
    func isUnderWay(_ transfer: TransferHandle) -> Bool { transfers.isUnderWay(transfer) }

    /// An attempt goes on, or has brought all of it: it may get the end of that attempt.
    func awaitsEnd(_ transfer: TransferHandle) -> Bool { transfers.awaitsEnd(transfer) }

    /// Why the transfer waits; nil: it runs, or it is over.
    func transferWait(of transfer: TransferHandle) -> TransferWaiting? { transfers.wait(of: transfer, at: now) }

    /// The transfer's present rate in bytes a second; 0: unlimited.
    func transferRate(of transfer: TransferHandle) -> Int64 { transfers.rate(of: transfer) }

    /// Bytes that the transfer may write at present.
    func transferRoom(for transfer: TransferHandle) -> Int64 { transfers.room(for: transfer) }

    /// Transfers that are not over.
    var openTransferCount: Int { transfers.counts.open }

    /// A session of the record, or one that an application opens for the first time.
    func addSession(_ session: NewSession) -> SessionHandle { transfers.addSession(session) }

    // MARK: Decisions

    /// Decisions of the transfer queue are not carried out yet.
    var hasTransferDecisions: Bool { !transfers.decisions.isEmpty }

    /// Carries out the transfer queue's decisions, until nothing is left.
    ///
    /// - Returns: false: there were none.
    func settleTransfers() -> Bool {
        guard endRefused() || hasTransferDecisions else { return false }
        var next = 0
        while next < transfers.decisions.count {
            carryOutTransfer(transfers.decisions[next])
            next += 1
        }
        transfers.removeDecisions()
        assert(transfers.counts.open > 64 || transfers.check() == nil, "transfers are in disorder")
        return true
    }
}
