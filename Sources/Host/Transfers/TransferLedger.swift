import Record
package import TaskModel
import Transfers

/// The one truth of the transfers that applications have not acknowledged, at most `TransferLimit.transfers` of each and so many as
/// the record has. Every change of one is made here, and written with the turn. Thread: the loop's.
package final class TransferLedger {
    private var entries: [TransferHandle: OpenTransfer] = [:]
    private var handles: [Int64: TransferHandle] = [:]
    /// Those that were created in this turn: they are written whole.
    private var fresh: Set<TransferHandle> = []
    /// Events of transfers in this turn, by their numbers: the newest of each.
    private var news: [Int64: TransferNews] = [:]
    /// The last numbers from the record.
    private var numbers = TransferNumbers(session: 0, transfer: 0, order: 0)
    private var hasNumbers = false
    private let decider: Decider
    private let keeper: RecordKeeper
    private let announcer: Announcer
    /// Present data of a transfer, for watchers; nil: it is forgotten.
    var view: (Int64) -> TransferView? = { _ in nil }

    init(_ decider: Decider, _ keeper: RecordKeeper, _ announcer: Announcer) {
        self.decider = decider
        self.keeper = keeper
        self.announcer = announcer
    }

    subscript(handle: TransferHandle) -> OpenTransfer? { entries[handle] }

    func handle(of id: Int64) -> TransferHandle? { handles[id] }

    var isEmpty: Bool { entries.isEmpty }

    // MARK: Numbers

    /// Numbers go on after the record's. Only the first call reads them.
    func restoreNumbers() throws(StoreError) {
        guard !hasNumbers else { return }
        numbers = try keeper.reader.transferNumbers()
        hasNumbers = true
    }

    func nextSession() -> Int64 {
        numbers.session += 1
        return numbers.session
    }

    func nextTransfer() -> Int64 {
        numbers.transfer += 1
        return numbers.transfer
    }

    /// The order of ends is that of their delivery.
    func nextOrder() -> Int64 {
        numbers.order += 1
        return numbers.order
    }

    // MARK: Changes

    /// Takes one in.
    ///
    /// - Parameter isFresh: it is not in the record.
    func insert(_ transfer: OpenTransfer, as handle: TransferHandle, isFresh: Bool) {
        entries[handle] = transfer
        handles[transfer.id] = handle
        if isFresh { fresh.insert(handle) }
    }

    /// Forgets it: its application has acknowledged its end, or its row is set aside.
    func remove(_ handle: TransferHandle) -> OpenTransfer? {
        guard let transfer = entries.removeValue(forKey: handle) else { return nil }
        handles[transfer.id] = nil
        fresh.remove(handle)
        return transfer
    }

    func set(_ state: TransferState, of handle: TransferHandle) {
        guard decider.isOpen(handle) else { return }
        note(.changed, handle)
        change(handle, { $0.state = state }, { .transferState($0.id, state) })
    }

    func changeRequest(of handle: TransferHandle, _ body: (inout TransferRequest) -> Void) {
        change(handle, { body(&$0.request) }, { .transferRequest($0.id, $0.request) })
    }

    func remember(_ progress: TransferProgress, of handle: TransferHandle) {
        change(handle, { $0.progress = progress }, { .transferProgress($0.id, progress) })
    }

    func hold(_ isHeld: Bool, _ handle: TransferHandle) {
        change(handle, { $0.isHeld = isHeld }, { .transferHeld($0.id, isHeld) })
    }

    func takeFile(of handle: TransferHandle) {
        change(handle, { $0.isFileTaken = true }, { .transferFileTaken($0.id) })
    }

    /// Its end, which may be delivered once it is recorded.
    func end(_ handle: TransferHandle, _ end: TransferEnd) {
        change(
            handle,
            {
                $0.end = end
                $0.state = .ended
            }, { .transferEnded($0.id, end) })
        note(.ended, handle)
        keeper.afterCommit { [unowned self] in entries[handle]?.isEndRecorded = true }
    }

    private func change(
        _ handle: TransferHandle, _ body: (inout BackgroundTransfer) -> Void,
        _ write: (BackgroundTransfer) -> RecordWrite
    ) {
        guard let transfer = entries[handle] else { return }
        body(&transfer.stored)
        if !fresh.contains(handle) { keeper.write(write(transfer.stored)) }
    }

    /// The calendar was set: a machine without a battery-backed clock starts in the past. Without a correction, transfers
    /// from before would time out when the host restarts.
    package func calendarMoved(by step: TimeSpan) {
        let least = TimeSpan.minutes(1).nanoseconds.magnitude
        guard step.nanoseconds.magnitude >= least, !entries.isEmpty else { return }
        keeper.write(.transfersMoved(by: step))
    }

    // MARK: The turn

    /// Adds those that were created in this turn to its record, once all of their changes are known.
    func write() {
        guard !fresh.isEmpty else { return }
        let stored = fresh.compactMap { entries[$0]?.stored }
        fresh.removeAll(keepingCapacity: true)
        for transfer in stored.sorted(by: { $0.id < $1.id }) { keeper.write(.transfer(transfer)) }
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool { fresh.isEmpty && news.isEmpty }

    // MARK: Watchers

    /// Notes an event for watchers, for when the turn is durable.
    func note(_ what: TransferNews, _ handle: TransferHandle) {
        guard announcer.audience?.followsTransfers == true, let transfer = entries[handle] else { return }
        if what == .changed, news[transfer.id] != nil { return }
        news[transfer.id] = what
    }

    func tellAudience() {
        guard !news.isEmpty else { return }
        let due = news.sorted { $0.key < $1.key }
        news.removeAll(keepingCapacity: true)
        keeper.afterCommit { [unowned self] in
            for (id, what) in due {
                guard let view = view(id) else { continue }
                announcer.audience?.transfer(what) { view }
            }
        }
    }
}
