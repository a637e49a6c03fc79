import Linux
package import Record
package import TaskModel

/// A store that takes its time, in front of another one: turns become durable some calls of `settle` later,
/// each when its writing is done and that of all before it; some never, and some fail half-way.
///
/// What the other store has is what survives a host that dies now. It may have more than was reported: a turn is
/// durable one call before `durableTurn` says so.
package final class LateStore: RecordStore {
    /// How a turn is written.
    package enum Fate: Sendable, Equatable {
        /// Done after so many calls of `settle`; 0: when `write` returns, unless an earlier turn is not.
        case done(after: Int)
        case never
        /// The store breaks before any of it is written.
        case broken
    }

    private struct Entry {
        var record: TurnRecord
        var fate: Fate
    }

    package let kept: any RecordStore
    package var host: HostID { kept.host }
    private let fate: (UInt64) -> Fate
    private var queue: [Entry] = []
    private var failure: StoreError?
    package private(set) var durableTurn: UInt64 = 0
    private let event: Descriptor
    package let patience: TimeSpan?

    /// - Parameters:
    ///   - patience: how long its host waits for a turn.
    ///   - fate: what becomes of the turn of that number; asked once for each.
    package init(
        _ kept: any RecordStore, patience: TimeSpan? = nil, fate: @escaping (UInt64) -> Fate
    ) throws {
        self.kept = kept
        self.patience = patience
        self.fate = fate
        durableTurn = kept.durableTurn
        event = try Descriptor.eventCounter()
    }

    /// The newest turn that was written.
    package private(set) var newestTurn: UInt64 = 0
    package var isBehind: Bool { newestTurn > durableTurn }
    /// Waiting will help.
    package var isBusy: Bool { isBehind && (queue.first?.fate != .never || kept.durableTurn > durableTurn) }

    package func write(_ record: borrowing TurnRecord) throws(StoreError) {
        if let failure { throw failure }
        newestTurn = record.turn
        // A turn without writes is durable with those before it.
        queue.append(Entry(record: copy record, fate: record.isEmpty ? .done(after: 0) : fate(record.turn)))
        if queue.count == 1 {
            try writeDone()
            if queue.isEmpty { durableTurn = kept.durableTurn }
        }
        signal()
    }

    package func takeRowFaults() -> [RowFault] { kept.takeRowFaults() }

    package func settle() throws(StoreError) {
        if let failure { throw failure }
        // On a slow disk the other one is late as well.
        try kept.settle()
        durableTurn = max(durableTurn, kept.durableTurn)
        for index in queue.indices {
            if case .done(let left) = queue[index].fate { queue[index].fate = .done(after: max(0, left - 1)) }
        }
        try writeDone()
        signal()
    }

    package func finish() throws(StoreError) { try kept.finish() }

    /// Writes what is done with all before it.
    private func writeDone() throws(StoreError) {
        while let first = queue.first {
            do throws(StoreError) {
                switch first.fate {
                case .done(let left):
                    guard left == 0 else { return }
                    try kept.write(first.record)
                case .never: return
                case .broken: throw StoreError(.broken, what: "write a turn", path: "late", message: "its writer broke")
                }
            } catch {
                failure = error
                throw error
            }
            queue.removeFirst()
        }
    }

    // MARK: Waking

    package var durabilityDescriptor: Int32? { event.number }

    /// Makes the descriptor readable as long as waiting helps.
    private func signal() {
        event.clear()
        if isBusy { event.raise() }
    }

    // MARK: What is not late

    package func unfinishedRuns() throws(StoreError) -> [RunRecord] { try kept.unfinishedRuns() }
    package func untoldEnds() throws(StoreError) -> [UntoldEnd] { try kept.untoldEnds() }
    package func interruptedRequests() throws(StoreError) -> [TaskRequest] { try kept.interruptedRequests() }

    package func findForgettable(
        endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Forgettable {
        try kept.findForgettable(endedBefore: moment, keepingNewest: count, limit: limit)
    }

    package func findExcess(beyond limit: ByteCount) throws(StoreError) -> Forgettable {
        try kept.findExcess(beyond: limit)
    }

    package func identifierCount() throws(StoreError) -> Int { try kept.identifierCount() }
    package func size() throws(StoreError) -> ByteCount { try kept.size() }
    package var isLogLong: Bool { kept.isLogLong }
    package func shrink() throws(StoreError) -> Shrinking { try kept.shrink() }
    package var reader: any RecordReader { kept.reader }
}
