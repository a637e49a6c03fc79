import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// The record's file is taken from under a host.
struct DisplacedTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder(isVolatile: true)
        store = try Store(path: folder.database, access: .exclusive)
        try store.record(0)
        try store.commit()
    }

    private func expectEnd(_ change: StoreError.Change) throws {
        try store.record(1)
        let error = #expect(throws: StoreError.self) { try store.commit() }
        #expect(error?.kind == .displaced(change))
        #expect(error?.description.contains("put it or a backup of it there") == true)
        // Nothing is acknowledged later.
        #expect(throws: StoreError.self) { try store.record(2) }
    }

    @Test func `Removed, it ends the recording with the next commit`() throws {
        try #require(unlink(folder.database) == 0)
        try expectEnd(.removed)
    }

    @Test func `Moved away, it has everything that was recorded, and its log is empty`() throws {
        let other = try TemporaryFolder(isVolatile: true)
        do {
            let store = try Store(path: other.database, access: .exclusive)
            try store.record(0)
            try store.commit()
            try #require(rename(other.database, other.path + "/moved") == 0)
            try store.record(1)
            #expect(throws: StoreError.self) { try store.commit() }
        }
        #expect(try other.status(of: "runs.db-wal").st_size == 0)
        #expect(try History(path: other.path + "/moved").runs(limit: 9).count == 2)
    }

    @Test func `Replaced, it ends the recording`() throws {
        try folder.write([1, 2, 3], to: "other")
        try #require(rename(folder.path + "/other", folder.database) == 0)
        try expectEnd(.replaced)
    }

    @Test func `Emptied, it ends the recording and keeps its log`() throws {
        try #require(truncate(folder.database, 0) == 0)
        try expectEnd(.emptied)
        #expect(try folder.names().contains("runs.db-wal"))
        #expect(try folder.status(of: "runs.db").st_size == 0)
    }

    @Test(arguments: [StoreError.Change.logRemoved, .logReplaced])
    func `Without its log, it ends the recording and has everything`(_ change: StoreError.Change) throws {
        let other = try TemporaryFolder(isVolatile: true)
        do {
            let store = try Store(path: other.database, access: .exclusive)
            try store.record(0)
            try store.commit()
            let log = other.database + "-wal"
            if change == .logRemoved {
                try #require(unlink(log) == 0)
            } else {
                try other.write([1, 2, 3], to: "other")
                try #require(rename(other.path + "/other", log) == 0)
            }
            try store.record(1)
            let error = #expect(throws: StoreError.self) { try store.commit() }
            #expect(error?.kind == .displaced(change))
            #expect(error?.description.contains("start the host again") == true)
            #expect(throws: StoreError.self) { try store.record(2) }
        }
        if change == .logReplaced { try #require(unlink(other.database + "-wal") == 0) }
        #expect(try History(path: other.database).runs(limit: 9).count == 2)
    }

    @Test(arguments: [0, 32, 2])
    func `Its log cut in place, it ends before anything more is recorded`(_ kept: Int64) throws {
        for milliseconds in 1...9 as ClosedRange<Int64> {
            try store.record(milliseconds)
            try store.commit()
        }
        let log = folder.database + "-wal"
        let size = try folder.status(of: "runs.db-wal").st_size
        let left = kept == 2 ? Int(size) / 2 : Int(kept)
        try #require(truncate(log, left) == 0)
        try store.record(10)
        let error = #expect(throws: StoreError.self) { try store.commit() }
        #expect(error?.kind == .displaced(.logCut))
        #expect(error?.description.contains("what was in the part that is missing is lost") == true)
        #expect(throws: StoreError.self) { try store.record(11) }
        // Nothing was written behind the gap, so the next host does not take the rest for a log.
        #expect(try folder.status(of: "runs.db-wal").st_size == left)
    }

    @Test func `Its log cut by itself, it is the same`() throws {
        for milliseconds in 1...2500 as ClosedRange<Int64> {
            try store.record(milliseconds)
            if milliseconds % 5 == 0 { try store.commit() }
        }
        try store.commit()
        while try store.shrink() == .unfinished {}
        try store.record(2501)
        try store.commit()
        #expect(try store.history.runs(limit: 1).first?.id == sampleID(2501))
    }

    @Test func `Touched or given another mode, it is the same`() throws {
        try #require(chmod(folder.database, 0o640) == 0)
        try #require(utimes(folder.database, nil) == 0)
        try store.record(1)
        try store.commit()
    }
}
