import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// A write-ahead log whose bits are not those that were written.
struct LogSightTests {
    /// A record whose last transactions are in its log alone, as a host leaves it that is killed.
    private func killed(runs: Int64 = 6) throws -> TemporaryFolder {
        let (living, dead) = (try TemporaryFolder(isVolatile: true), try TemporaryFolder(isVolatile: true))
        let store = try Store(path: living.database, access: .exclusive)
        for number in 0..<runs {
            try store.record(number)
            try store.commit()
        }
        for name in ["runs.db", "runs.db-wal"] {
            try dead.write(try TemporaryFolder.bytes(of: "\(living.path)/\(name)"), to: name)
        }
        return dead
    }

    private static let frame = 24 + 4096

    private func flip(_ bit: Int, of byte: Int, in folder: TemporaryFolder) throws {
        let log = try TemporaryFolder.bytes(of: folder.database + "-wal")
        try folder.write([log[byte] ^ 1 << UInt8(bit)], to: "runs.db-wal", at: byte)
    }

    @Test func `A whole log is read to its end`() throws {
        let folder = try killed()
        let store = try Store(path: folder.database, access: .exclusive)
        #expect(try store.history.runs(limit: 9).count == 6)
    }

    @Test(arguments: [0, 5, 9, 14, 18, 22, 24, 100, 4000])
    func `A bit that flipped before the last transaction is reported, and nothing is silently forgotten`(place: Int)
        throws
    {
        let size = Int(try killed().status(of: "runs.db-wal").st_size)
        for frame in [0, 3, size / Self.frame / 2] {
            let folder = try killed()
            try flip(place % 8, of: 32 + frame * Self.frame + place, in: folder)
            let error = #expect(throws: StoreError.self, "frame \(frame), byte \(place)") {
                _ = try Store(path: folder.database, access: .exclusive)
            }
            #expect(error?.kind == .damagedLog(frame: frame + 1))
            #expect(error?.description.contains("restore a backup, or move its -wal file away") == true)
        }
    }

    @Test func `So is any bit of its very last frame: a host that was killed has acknowledged what it holds`() throws {
        let folder = try killed()
        let size = Int(try folder.status(of: "runs.db-wal").st_size)
        let last = size - Self.frame
        try #require((size - 32) % Self.frame == 0)
        let places = Array(0..<24) + Sample.draw(Array(24..<Self.frame), most: 300, "bytes of the last frame")
        for place in places {
            for bit in place < 24 ? 0..<8 : place % 8..<place % 8 + 1 {
                try flip(bit, of: last + place, in: folder)
                let error = #expect(throws: StoreError.self, "bit \(bit) of byte \(place)") {
                    _ = try Store(path: folder.database, access: .exclusive)
                }
                #expect(error?.kind == .damagedLog(frame: last / Self.frame + 1))
                try flip(bit, of: last + place, in: folder)
            }
        }
        #expect(try Store(path: folder.database, access: .exclusive).history.runs(limit: 9).count == 6)
    }

    @Test(arguments: 0..<32)
    func `So is one of its header`(byte: Int) throws {
        for bit in 0..<8 {
            let folder = try killed(runs: 3)
            try flip(bit, of: byte, in: folder)
            #expect(throws: StoreError.self, "bit \(bit)") { _ = try Store(path: folder.database, access: .exclusive) }
        }
    }

    @Test func `A log that a crash cut off is taken to its last transaction, and continues`() throws {
        let folder = try killed()
        let size = Int(try folder.status(of: "runs.db-wal").st_size)
        try #require(truncate(folder.database + "-wal", size - 1000) == 0)
        do {
            let store = try Store(path: folder.database, access: .exclusive)
            #expect(try store.history.runs(limit: 9).count == 5)
            try store.record(20)
            try store.commit()
        }
        #expect(try Store(path: folder.database, access: .exclusive).history.runs(limit: 9).count == 6)
    }

    /// A sector that was not written holds what stood there before, or zeros.
    @Test(arguments: [24, 512, 1536, 4096])
    func `A last frame that a crash wrote in part is no flipped one`(written: Int) throws {
        let folder = try killed()
        let size = Int(try folder.status(of: "runs.db-wal").st_size)
        let last = size - Self.frame
        let torn = try TemporaryFolder.bytes(of: folder.database + "-wal")[(last + written)...].map {
            $0 == 0 ? 0 : $0 ^ 0x5A
        }
        try #require(torn.contains { $0 != 0 })
        try folder.write(Array(torn), to: "runs.db-wal", at: last + written)
        #expect(try Store(path: folder.database, access: .exclusive).history.runs(limit: 9).count == 5)
    }
}
