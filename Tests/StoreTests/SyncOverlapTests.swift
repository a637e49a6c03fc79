import Foundation
import Glibc
import Linux
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

    @Test("begin when the one before has ended, for all that came until then")
    func order() {
        var queue = SyncQueue()
        queue.didSync(at: 1)
        #expect(queue.durable == 1)
        #expect(queue.add(2, hasWrites: false) == .nothing && queue.durable == 2)
        #expect(queue.add(3, hasWrites: true) == .commit && queue.durable == 2)
        #expect(queue.add(4, hasWrites: false) == .nothing)
        #expect(queue.didSync() == .nothing && queue.durable == 4 && queue.isIdle)
        #expect(queue.add(5, hasWrites: true) == .commit)
        #expect(queue.add(6, hasWrites: true) == .nothing && queue.add(7, hasWrites: false) == .nothing)
        // Turns come one upon another: those that the end of this one brings share the next.
        #expect(queue.didSync() == .rest && queue.durable == 5)
        #expect(queue.add(8, hasWrites: true) == .nothing && queue.didRest() == .commit && queue.durable == 5)
        #expect(queue.didSync() == .nothing && queue.durable == 8)
        // Also where none has come yet.
        #expect(queue.add(9, hasWrites: true) == .rest && queue.didRest() == .commit)
        #expect(queue.didSync() == .nothing && queue.durable == 9)
        // That one came alone.
        #expect(queue.add(10, hasWrites: true) == .commit)
    }

    // MARK: The file

    /// A turn with a line of the journal.
    private static func turn(_ number: Int64) -> TurnRecord {
        var turn = TurnRecord(turn: UInt64(number))
        turn.append(.journal(JournalEntry(at: moment(number), kind: .opened, subject: "\(number)", text: "")))
        return turn
    }

    private func wait(for bell: Int32) { _ = Descriptor.isReady(bell, .readable, within: nil) }

    /// What the disk certainly has: the log as it was when the newest sync that has ended began. While it is slow, a sync ends when it
    /// is told to.
    private final class Disk: Sendable {
        private let logs = Mutex((begun: [UInt8](), synced: [UInt8]()))
        private let isSlow = Mutex(false)
        let end = DispatchSemaphore(value: 0)
        let path: String

        init(_ path: String) { self.path = path }

        var present: [UInt8] { (try? TemporaryFolder.bytes(of: path + "-wal")) ?? [] }
        var synced: [UInt8] { logs.withLock { $0.synced } }
        func willSync() {
            let log = present
            logs.withLock { $0.begun = log }
            if isSlow.withLock({ $0 }) { end.wait() }
        }
        func beSlow(_ isSlow: Bool) { self.isSlow.withLock { $0 = isSlow } }
        func didSync() { logs.withLock { $0.synced = $0.begun } }
    }

    /// A log after a power cut: of what was not synced, any frames.
    private func cut(_ now: [UInt8], _ synced: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let frame = 24 + 4096
        var log = now
        for start in stride(from: 32, to: now.count, by: frame) where Bool.random(using: &random) {
            for index in start..<min(start + frame, now.count) { log[index] = index < synced.count ? synced[index] : 0 }
        }
        return log
    }

    @Test("lose no turn that was called durable, and leave a log that is read, whenever the power goes")
    func power() throws {
        var random = SeededGenerator(seed: 7)
        let store = try Store(path: folder.database, access: .exclusive, overlaps: true)
        let disk = Disk(folder.database)
        store.aroundSync({ disk.willSync() }, { disk.didSync() })
        let bell = try #require(store.durabilityDescriptor)
        for number in 1...40 as ClosedRange<Int64> { try store.write(Self.turn(number)) }
        try store.finish()
        #expect(store.durableTurn == 40)
        // The log begins anew, over what it has.
        try store.database.execute("PRAGMA wal_checkpoint(RESTART)")
        try store.write(Self.turn(41))
        try store.finish()
        let file = try TemporaryFolder.bytes(of: folder.database)
        var behind = 0
        disk.beSlow(true)
        for number in 42...120 as ClosedRange<Int64> {
            try store.write(Self.turn(number))
            if number % 7 == 0 {
                disk.end.signal()
                wait(for: bell)
            }
            try store.settle()
            let durable = store.durableTurn
            if durable < number { behind += 1 }
            for _ in 0..<3 {
                let after = try TemporaryFolder(isVolatile: true)
                try after.write(file, to: "runs.db")
                try after.write(cut(disk.present, disk.synced, &random), to: "runs.db-wal")
                let found = try Store(path: after.database, access: .exclusive).history
                    .journal(before: nil, limit: 200).elements
                #expect(found.count >= durable, "\(found.count) of \(durable) turns that were called durable")
            }
        }
        #expect(behind > 70)
        disk.beSlow(false)
        disk.end.signal()
        try store.finish()
        #expect(store.durableTurn == 120)
    }

    @Test("are not joined by a transaction of the record's upkeep")
    func shrinking() throws {
        let store = try Store(path: folder.database, access: .exclusive, overlaps: true)
        try store.database.execute(
            """
            CREATE TABLE scratch(x);
            INSERT INTO scratch SELECT randomblob(3000) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i FROM n);
            DELETE FROM scratch;
            """)
        let isOpen = DispatchSemaphore(value: 0)
        store.aroundSync({ isOpen.wait() }, {})
        try store.write(Self.turn(1))
        let free = try store.database.integer("PRAGMA freelist_count")
        #expect(try store.shrink() == .unfinished)
        #expect(try store.database.integer("PRAGMA freelist_count") == free)
        isOpen.signal()
        try store.finish()
        _ = try store.shrink()
        #expect(try store.database.integer("PRAGMA freelist_count") ?? 0 < free ?? 0)
        #expect(try store.database.integer("PRAGMA synchronous") == 1)
    }

    @Test("take the place of those at commits")
    func once() async throws {
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            try SyncCounter.install()
            let store = try Store(path: path, access: .exclusive, overlaps: true)
            func turn(_ number: Int64) throws {
                try store.write(Self.turn(number))
                try store.settle()
            }
            try turn(1)
            let before = (SyncCounter.logs, SyncCounter.databases)
            for number in 2...20 as ClosedRange<Int64> { try turn(number) }
            try store.finish()
            try #require((SyncCounter.logs, SyncCounter.databases) == before)
        }
    }

    @Test("that fail while the next turn is under way end the record, and what they were for is not durable")
    func failing() throws {
        let database = try Database(path: folder.database, access: .readWrite)
        // What cannot be synced: fdatasync(2), EINVAL.
        let sync = try TurnSync(database, overlaps: true, log: "/dev/null")
        #expect(sync.add(1, hasWrites: true))
        sync.didCommit()
        #expect(!sync.add(2, hasWrites: true))
        wait(for: sync.bell)
        let error = #expect(throws: StoreError.self) { try sync.settle() }
        #expect(error?.kind == .inputOutput && error?.systemError == EINVAL)
        #expect(sync.durableTurn == 0)
    }
}
