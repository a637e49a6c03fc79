import Engine
import Foundation
import Record
import Store
import Synchronization
import TaskModel
import TestSupport
import Testing
import Wire
@testable import Host
@testable import Setting

/// A store that does not answer at once, under a whole host.
@Suite("A record that answers late")
struct LateRecordTests {
    /// Hears of everything, and looks at the record when it does.
    private final class Witness: HostAudience {
        var store: LateStore?
        /// Turns that were not durable when their effects were seen.
        var early: [String] = []
        var ids: [RunHandle: ULID] = [:]
        var outcomes: [Outcome?] = []
        var host: HostUnderTest?

        private func check(_ what: String, _ id: ULID?, hasEnded: Bool) {
            guard let store, let id, let kept = try? store.kept.reader.run(id), (kept.outcome != nil) == hasEnded else {
                return early.append(what)
            }
        }

        func runDidBegin(_ run: RunHandle) { ids[run] = host?.decider.run(run)?.id }
        func run(_ run: RunHandle, didStartAt time: Timestamp) { check("start", ids[run], hasEnded: false) }
        func run(_ run: RunHandle, didEnd slot: RunSlot) {
            check("end", slot.id, hasEnded: true)
            outcomes.append(slot.outcome)
        }
        func run(_ run: RunHandle, didExpire reason: Reason) {}
        func run(_ run: RunHandle, didProgress report: ProgressReport) {}
        func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>, _ mark: LogMark) {}
        func requestChanged(_ what: String, _ identifier: String) {}
        func deviceChanged() {}
        func application(_ application: ApplicationIndex, isIn state: ApplicationState) {}
        func didTerminate(_ termination: Termination) {}
        func journal(_ entry: JournalEntry) {}
        var followsTransfers: Bool { false }
        func transfer(_ news: TransferNews, _ view: () -> TransferView) {}
    }

    private let folder: TestSupport.Folder
    private let witness = Witness()

    init() throws { folder = try TestSupport.Folder() }

    /// A host with the plugin that completes at once, over a store whose turns have these fates.
    private func host(
        patience: TimeSpan? = nil, fate: @escaping (UInt64) -> LateStore.Fate
    ) throws -> (host: HostUnderTest, task: TaskIndex) {
        let witness = witness
        return try host { path, makeRoom, say throws(HostError) in
            let store = try RecordOpening.open(path, makeRoom, say)
            guard let late = try? LateStore(store, patience: patience, fate: fate) else { return store }
            witness.store = late
            return late
        }
    }

    private func host(over open: @escaping RecordOpening.Way) throws -> (host: HostUnderTest, task: TaskIndex) {
        let host = try HostUnderTest(
            stateFolder: folder.file("state").path, configuration: HostConfiguration(), openRecord: open)
        witness.host = host
        host.audience = witness
        let manifest = try Places.built.get().appending(path: "fixtures.noop.json").path
        let catalogue = Catalogue([manifest], profile: .modern)
        let application = try #require(catalogue.applications.first)
        let task = try #require(try host.install(application).first)
        host.decider.refreshClock()
        return (host, task)
    }

    @Test("a handler starts, and its requester gets the reply, when their turns are durable", arguments: [0, 1, 4])
    func late(_ calls: Int) throws {
        let (host, task) = try host { .done(after: $0 == 0 ? 0 : Int($0) % 3 == 0 ? calls + 1 : calls) }
        for _ in 0..<5 { host.submit(task, observer: nil) }
        try host.run { witness.outcomes.count == 5 }
        #expect(witness.outcomes.allSatisfy { $0 == .succeeded })
        #expect(witness.early.isEmpty)
        try host.close()
        witness.host = nil
    }

    /// A disk that answers when it is told to.
    private final class Gate: Sendable {
        private let isOpen = DispatchSemaphore(value: 0)
        private let isClosed = Mutex(false)

        func close() { isClosed.withLock { $0 = true } }
        func open() {
            isClosed.withLock { $0 = false }
            isOpen.signal()
        }
        func pass() {
            if isClosed.withLock({ $0 }) { isOpen.wait() }
        }
    }

    @Test("a disk that does not answer stops no turn, and nothing is done or told before it does")
    func overlapping() throws {
        let gate = Gate()
        let (host, task) = try host { path, _, _ throws(HostError) in
            let store = try HostError.rethrowing(
                store: try Store(path: path, access: .exclusive, overlaps: true))
            store.aroundSync({ gate.pass() }, {})
            return store
        }
        var told = 0
        host.tell { told += 1 }
        try host.run { told == 1 }
        gate.close()
        let run = host.submit(task, observer: nil)
        // Its worker is launched, has loaded the handler, and waits.
        try host.run { host.decider.run(run)?.phase == .running }
        host.tell { told += 1 }
        #expect(witness.early.isEmpty && told == 1)
        gate.open()
        try host.run { witness.outcomes.count == 1 }
        #expect(told == 2)
        // No store is looked into here: this is what was told, in its order.
        #expect(witness.early == ["start", "end"] && witness.outcomes == [.succeeded])
        try host.close()
        witness.host = nil
    }

    @Test("one that breaks in the middle of a turn ends the host in one sentence, and what was acknowledged is kept")
    func broken() throws {
        var breaks = UInt64.max
        let (host, task) = try host { $0 >= breaks ? .broken : .done(after: 0) }
        _ = host.submit(task, observer: nil)
        try host.run { witness.outcomes.count == 1 }
        breaks = host.decider.turn + 2
        host.submit(task, observer: nil)
        let error = #expect(throws: HostError.self) { try host.run { witness.outcomes.count == 2 } }
        let sentence = try #require(error).sentence
        #expect(!sentence.contains("\n") && sentence.contains("; "))
        let kept = try #require(witness.store).kept.reader
        #expect(
            try kept.runs(limit: 100).count { $0.outcome != nil }
                >= witness.outcomes.count)
        #expect(witness.early.isEmpty)
        witness.host = nil
    }

    @Test("names that got numbers are written by a turn that remembers nothing else")
    func names() throws {
        let (host, _) = try host { _ in .done(after: 0) }
        let store = try #require(witness.store)
        let before = try store.kept.reader.highestNames()
        #expect(before == NameNumbers(application: 0, task: 0, setup: 0))
        let first = host.decider.turn
        try host.run { host.decider.turn > first }
        let after = try store.kept.reader.highestNames()
        #expect(after.application == 1 && after.task > 0)
        try host.close()
        witness.host = nil
    }

    @Test("one that never answers is given up, in a sentence that says what to do")
    func never() throws {
        let (host, task) = try host(patience: .milliseconds(200)) { $0 == 0 ? .done(after: 0) : .never }
        host.submit(task, observer: nil)
        let error = #expect(throws: HostError.self) { try host.run { !witness.outcomes.isEmpty } }
        guard case .recordIsSilent = try #require(error) else {
            Issue.record("ended with \(String(describing: error))")
            return
        }
        #expect(witness.outcomes.isEmpty && witness.early.isEmpty)
        witness.host = nil
    }
}
