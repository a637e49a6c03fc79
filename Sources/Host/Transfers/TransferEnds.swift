import Record
package import TaskModel
import Transferring
import Transfers

/// Ends of transfers: each gets one, which is recorded before its application receives it. Thread: the loop's.
final class TransferEnds {
    private let decider: Decider
    private let keeper: RecordKeeper
    private let sessions: SessionTable
    private let ledger: TransferLedger
    private let parts: TransferParts
    private let delivery: Delivery
    private let journal: TransferJournal

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ sessions: SessionTable, _ ledger: TransferLedger,
        _ parts: TransferParts, _ delivery: Delivery, _ journal: TransferJournal
    ) {
        self.decider = decider
        self.keeper = keeper
        self.sessions = sessions
        self.ledger = ledger
        self.parts = parts
        self.delivery = delivery
        self.journal = journal
    }

    /// It was cancelled, or has had its time, and its file has no writer any more.
    func end(
        _ handle: TransferHandle, _ error: TransferError, _ reason: TransferCancelReason?, _ attempt: TransferAttempt?
    ) {
        var end = TransferEnd(at: decider.now.time, order: 0, error: error)
        end.cancelReason = reason
        self.end(handle, end, attempt)
    }

    /// It ended for lack of a resource that another attempt would lack too.
    ///
    /// - Parameter status: of HTTP, when no answer was kept; 0: no server has answered.
    func end(
        _ handle: TransferHandle, _ refusal: TransferRefusal, _ attempt: TransferAttempt? = nil, status: UInt16 = 0
    ) {
        var end = TransferEnd(at: decider.now.time, order: 0, error: refusal.error)
        end.sentence = refusal.sentence
        end.status = status
        self.end(handle, end, attempt)
    }

    /// Records its end, which it gets once: the policy says whether this is it. Its application receives it once that is
    /// durable.
    func end(_ handle: TransferHandle, _ wanted: TransferEnd, _ attempt: TransferAttempt?) {
        guard let transfer = ledger[handle], let session = sessions[transfer.session],
            decider.ask({ $0.ended(handle, at: $1) })
        else { return }
        let (id, application) = (transfer.id, session.application)
        parts.stopWeighing(handle, of: application)
        var end = wanted
        end.order = ledger.nextOrder()
        let progress = attempt?.progress ?? transfer.stored.progress
        end.status = attempt?.response?.status ?? end.status
        end.url = attempt?.response?.url ?? ""
        end.headers = attempt?.response?.headers ?? []
        end.received = progress.received
        end.sent = progress.sent
        if end.error != nil { parts.keepForLater(&end, transfer, of: application, progress) }
        // A finished file counts with the application's others.
        if end.file.isEmpty {
            parts.settle(id, of: application, isOver: true)
        } else {
            parts.release(id, of: application)
        }
        ledger.end(handle, end)
        journal.noteFailure(end, of: transfer.stored, application)
        session.questions[handle] = nil
        session.ends.append(handle)
        delivery.noteEvents(of: session)
        if !end.file.isEmpty { keeper.afterCommit { [unowned self] in parts.publish(id, of: application) } }
        settleOwn(handle, of: session)
    }

    /// A transfer that a user added has no event to deliver: it is done when its file is complete.
    func settleOwn(_ handle: TransferHandle, of session: SessionRecord) {
        guard session.stored.identifier == SessionTable.own, let id = ledger[handle]?.id else { return }
        keeper.afterCommit { [unowned self] in
            keeper.write(.transferDelivered(id))
            forget(handle, of: session)
        }
    }

    /// Its application has acknowledged the end, or its row is set aside.
    func forget(_ handle: TransferHandle, of session: SessionRecord) {
        guard let transfer = ledger.remove(handle) else { return }
        session.transfers[transfer.number] = nil
        if let place = session.ends.firstIndex(of: handle) {
            session.ends.remove(at: place)
            if place < session.told { session.told -= 1 }
        }
        forgotten(handle)
        decider.ask { $0.told(handle, at: $1) }
    }

    /// Called for a transfer that is forgotten.
    var forgotten: (TransferHandle) -> Void = { _ in }
}

/// Why a transfer cannot continue.
package struct TransferRefusal: Error {
    package var error: TransferError
    /// For display.
    package var sentence: String

    init(_ error: TransferError, _ sentence: String) {
        self.error = error
        self.sentence = sentence
    }
}
