import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Random work on the store beside a plain list that does the same.
struct ModelTests {
    private struct Entry: Equatable {
        var sequence: Int64
        var id: ULID
        var expiredAt: Timestamp?
        var outcome: Outcome?
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `The record equals a list that had the same done to it`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var store = try Store(path: folder.database)
        var pending: [Entry] = []
        var committed: [Entry] = []
        var clock: Int64 = 0
        for _ in 0..<1500 {
            clock += Int64.random(in: 0...5, using: &generator)
            let open = pending.indices.filter { pending[$0].outcome == nil }
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<40:
                let run = try store.admit(
                    clock, salt: generator.next(),
                    identifier: "com.example.feeds.\(Int.random(in: 0..<5, using: &generator))")
                pending.append(Entry(sequence: store.nextSequence - 1, id: run))
            case 40..<75:
                guard let index = open.randomElement(using: &generator),
                    let outcome = Outcome.allCases.randomElement(using: &generator)
                else { continue }
                let expired = pending[index].expiredAt
                try store.finishRun(
                    RunEnd(
                        id: pending[index].id, outcome: outcome, expiredAt: expired, endedAt: moment(clock)),
                    events: Span())
                pending[index].outcome = outcome
            case 75..<80:
                guard let index = open.randomElement(using: &generator) else { continue }
                try store.markExpired(pending[index].id, at: moment(clock), reason: .budget)
                pending[index].expiredAt = moment(clock)
            case 80..<95:
                let newest = try store.history.runs(limit: 1_000)
                for (identifier, last) in try store.history.lastRuns() {
                    #expect(newest.first { $0.identifier == identifier } == last, "seed \(seed)")
                    #expect(try store.history.lastRun(of: identifier) == last, "seed \(seed)")
                }
                try store.commit()
                committed = pending
            case 95..<97:
                let keeping = Int.random(in: 0...200, using: &generator)
                let bound = store.nextSequence - Int64(keeping)
                let oldest = pending.prefix(20).filter { $0.outcome != nil && $0.sequence < bound }
                #expect(
                    try store.prune(endedBefore: moment(-1), keepingNewest: keeping, limit: 20) == oldest.count,
                    "seed \(seed)")
                pending.removeAll { oldest.contains($0) }
            case 97..<98:
                // The clock goes back.
                clock -= 40
            default:
                // The host dies and starts again: the turn is lost, the rest is interrupted.
                store = try Store(path: folder.database)
                pending = committed
                let unfinished = try store.unfinishedRuns()
                #expect(unfinished.map { $0.id } == pending.filter { $0.outcome == nil }.map { $0.id }, "seed \(seed)")
                for index in pending.indices where pending[index].outcome == nil {
                    pending[index].outcome = .interrupted
                }
                try store.recover(at: moment(clock))
                committed = pending
            }
        }
        try store.commit()
        let history = try History(path: folder.database)
        let runs = try history.runs(limit: 10_000)
        #expect(runs.map { $0.id } == pending.reversed().map { $0.id }, "seed \(seed)")
        #expect(runs.map { $0.outcome } == pending.reversed().map { $0.outcome }, "seed \(seed)")
        #expect(runs.map { $0.expiredAt } == pending.reversed().map { $0.expiredAt }, "seed \(seed)")
        for entry in pending { #expect(try history.run(entry.id)?.id == entry.id, "seed \(seed)") }
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }
}
