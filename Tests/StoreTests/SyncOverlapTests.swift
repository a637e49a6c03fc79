import Foundation
import Glibc
import Record
import Synchronization
import TaskModel
import TestSupport
import Testing
@testable import Store

@Suite("Syncs that overlap with later turns")
struct SyncOverlapTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: When

    @Test("do so once several in a row were slow, and until several in a row were fast")
    func pace() {
        var pace = SyncPace()
        for _ in 0..<7 { pace.observe(.milliseconds(20)) }
        pace.observe(.zero)
        for _ in 0..<7 { pace.observe(.milliseconds(2)) }
        #expect(!pace.overlaps)
        pace.observe(.milliseconds(2))
        #expect(pace.overlaps)
        for _ in 0..<20 {
            for _ in 0..<7 { pace.observe(.zero) }
            pace.observe(.milliseconds(1))
        }
        #expect(pace.overlaps)
        for _ in 0..<8 { pace.observe(.zero) }
        #expect(!pace.overlaps)
    }

    @Test("make durable what was committed before they began, and no turn before an earlier one")
    func order() {
        var queue = SyncQueue()
        queue.didSync(1)
        #expect(queue.durable == 1)
        #expect(!queue.add(2, hasWrites: false) && queue.durable == 2)
        #expect(queue.add(3, hasWrites: true) && queue.durable == 2)
        #expect(!queue.add(4, hasWrites: false) && !queue.isBusy)
        #expect(!queue.didFinish(covering: 3) && queue.durable == 4 && !queue.isBusy)
        #expect(queue.add(5, hasWrites: true) && !queue.add(6, hasWrites: true) && !queue.add(7, hasWrites: false))
        // It began when turn 5 was committed: the next one is for turn 6, and turn 7 had nothing to write.
        #expect(queue.didFinish(covering: 5) && queue.durable == 5 && queue.isBusy)
        #expect(!queue.add(8, hasWrites: false) && queue.durable == 5)
        #expect(!queue.didFinish(covering: 6) && queue.durable == 8 && !queue.isSyncing && !queue.isBusy)
        // It began when both were.
        #expect(queue.add(9, hasWrites: true) && !queue.add(10, hasWrites: true))
        #expect(!queue.didFinish(covering: 10) && queue.durable == 10 && queue.isBusy)
    }

    // MARK: The file

    /// What the disk certainly has: a copy of the files as they were when the newest sync that has ended began.
    private final class Disk: Sendable {
        let kept = Mutex((copies: 0, synced: -1))
        let from: String
        let to: String

        init(from: String, to: String) { (self.from, self.to) = (from, to) }

        func path(_ copy: Int) -> String { "\(to)/\(copy).db" }

        func willSync() {
            let copy = kept.withLock { $0.copies }
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: from + suffix, toPath: path(copy) + suffix)
            }
        }

        func didSync() {
            kept.withLock {
                $0.synced = $0.copies
                $0.copies += 1
            }
        }
    }

    @Test("lose no turn that was called durable, if the power goes at any moment")
    func power() throws {
        let copies = try TemporaryFolder()
        let store = try Store(path: folder.database, access: .exclusive, overlaps: true)
        let disk = Disk(from: folder.database, to: copies.path)
        store.aroundSync({ disk.willSync() }, { disk.didSync() })
        let bell = try #require(store.durabilityDescriptor)
        var (behind, checked) = (0, 0)
        for number in 1...60 as ClosedRange<Int64> {
            var turn = TurnRecord(turn: UInt64(number))
            turn.append(.journal(JournalEntry(at: moment(number), kind: .opened, subject: "\(number)", text: "")))
            try store.write(turn)
            // As a loop that has something else to do meanwhile, now and then.
            if number % 3 == 0 { wait(for: bell) }
            try store.settle()
            let durable = store.durableTurn
            if durable < number { behind += 1 }
            let synced = disk.kept.withLock { $0.synced }
            guard synced >= 0, durable > 0 else { continue }
            let found = try History(path: disk.path(synced)).journal(before: nil, limit: 100).elements
            #expect(found.count >= durable, "\(found.count) of \(durable) turns that were called durable")
            checked += 1
        }
        #expect(behind > 0 && checked > 0)
        while store.durableTurn < 60 {
            wait(for: bell)
            try store.settle()
        }
    }

    private func wait(for bell: Int32) {
        var place = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        _ = poll(&place, 1, -1)
    }

    @Test("take the place of those at commits")
    func once() async throws {
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            try SyncCounter.install()
            let store = try Store(path: path, access: .exclusive, overlaps: true)
            try store.record(0)
            try store.commit()
            let before = (SyncCounter.logs, SyncCounter.databases)
            for number in 1...20 as ClosedRange<Int64> {
                try store.record(number)
                try store.commit()
            }
            try #require((SyncCounter.logs, SyncCounter.databases) == before)
        }
    }

    @Test("that fail while the next turn is under way end the record, and what they were for is not durable")
    func failing() throws {
        let database = try Database(path: folder.database, access: .readWrite)
        // What cannot be synced: fdatasync(2), EINVAL.
        let sync = try TurnSync(database, overlaps: true, log: "/dev/null")
        try sync.didCommit(1, in: .zero)
        try sync.didCommit(2, in: .zero)
        wait(for: sync.bell)
        let error = #expect(throws: StoreError.self) { try sync.settle() }
        #expect(error?.kind == .inputOutput && error?.systemError == EINVAL)
        #expect(sync.durableTurn == 0)
    }
}
