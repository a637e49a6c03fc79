import Foundation
import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

struct SizeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func size(of name: String) throws -> Int { Int(try folder.status(of: name).st_size) }

    private func record(_ count: Int, in store: Store, turn: Int = 1) throws {
        for number in 0..<count {
            let run = try store.record(Int64(number))
            try store.append(run, [UInt8](repeating: 7, count: 256 << 10))
            if number % turn == turn - 1 { try store.commit() }
        }
        try store.commit()
    }

    @Test func `Beyond a number of bytes the oldest output goes first, and says how much it was`() throws {
        let store = try Store(path: folder.database)
        try record(40, in: store)
        let limit = ByteCount.mebibytes(4)
        #expect(try store.size() > limit)
        while try store.prune(beyond: limit) { try store.commit() }
        #expect(try store.size() <= limit)
        #expect(try store.history.runs(limit: 100).count == 40, "a run outlives its output")
        #expect(try store.history.output(of: sampleID(0)).dropped == 256 << 10)
        #expect(try store.history.output(of: sampleID(0)).bytes.isEmpty)
        #expect(try store.history.output(of: sampleID(39)).bytes.count == 256 << 10)
        #expect(try !store.prune(beyond: limit))
    }

    @Test func `Without output the oldest runs go`() throws {
        let store = try Store(path: folder.database)
        // Most of the record has to be runs: an empty one has a page for each table.
        for number in 0..<4000 { try store.record(Int64(number)) }
        try store.commit()
        let limit = ByteCount(bytes: try store.size().bytes / 2)
        while try store.prune(beyond: limit) { try store.commit() }
        let left = try store.history.runs(limit: 1000)
        #expect(try store.size() <= limit)
        #expect(left.first?.id == sampleID(3999) && !left.isEmpty)
    }

    @Test func `What is not used is given back in steps`() throws {
        let store = try Store(path: folder.database)
        try record(100, in: store)
        while try store.prune(beyond: .mebibytes(2)) { try store.commit() }
        var steps = 0
        while try store.shrink() == .unfinished { steps += 1 }
        #expect(steps > 10, "one step is small")
        #expect(try store.shrink() == .done)
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try size(of: "runs.db") < 4 << 20)
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }

    @Test(arguments: [1, 100]) func `600 runs with 256 KiB of output each leave a short log`(turn: Int) throws {
        let store = try Store(path: folder.database)
        let reader = try History(path: folder.database)
        #expect(try reader.runs(limit: 1).isEmpty)
        try record(600, in: store, turn: turn)
        while try store.shrink() == .unfinished {}
        #expect(try size(of: "runs.db-wal") <= 8 << 20)
        #expect(try reader.runs(limit: 1).count == 1)
    }

    @Test func `The log of one large turn is cut back by the turns that follow`() throws {
        let store = try Store(path: folder.database)
        try record(100, in: store, turn: 100)
        #expect(try size(of: "runs.db-wal") > 16 << 20)
        try record(3, in: store)
        #expect(try size(of: "runs.db-wal") <= 8 << 20)
    }
}
