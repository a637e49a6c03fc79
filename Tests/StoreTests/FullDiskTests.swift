import Foundation
import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// A record on a file system that is full.
@Suite(.enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
struct FullDiskTests {
    let disk: SmallDisk
    private var path: String { disk.folder.file("runs.db").path }

    init() throws { disk = try SmallDisk(bytes: 4 << 20) }

    /// 2 MiB of output of many runs, in one turn.
    private func recordMuch(in store: Store) throws {
        for number in 0..<32 {
            let run = try store.record(Int64(number))
            try store.append(run, [UInt8](repeating: UInt8(number), count: 64 << 10))
        }
    }

    @Test func `Without room to be made a full disk fails the turn`() throws {
        let store = try Store(path: path)
        try disk.fill()
        let error = try #require(throws: StoreError.self) {
            try recordMuch(in: store)
            try store.commit()
        }
        #expect(error.kind == .full, "\(error)")
    }

    @Test func `A turn that finds the disk full is recorded whole once room was made`() throws {
        let reserve = disk.folder.file("reserve").path
        try disk.folder.write("reserve", [UInt8](repeating: 1, count: 3 << 20))
        var size = off_t(3 << 20)
        var asked = 0
        let store = try Store(
            path: path,
            makeRoom: {
                asked += 1
                size -= 256 << 10
                return size >= 0 && truncate(reserve, size) == 0
            })
        try disk.fill()
        try recordMuch(in: store)
        try store.commit()
        #expect(asked >= 8, "2 MiB in pieces of a quarter")
        #expect(try History(path: path).runs(limit: 100).count == 32)
        #expect(try History(path: path).output(of: sampleID(31)).bytes.count == 64 << 10)
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }

    @Test func `A record is opened on a full disk once room was made`() throws {
        try Store(path: path).record(1)
        try disk.folder.write("reserve", [UInt8](repeating: 1, count: 1 << 20))
        try disk.fill()
        var asked = 0
        let reserve = disk.folder.file("reserve").path
        let store = try Store(
            path: path,
            makeRoom: {
                asked += 1
                return asked == 1 && truncate(reserve, 0) == 0
            })
        try store.record(2)
        try store.commit()
        #expect(asked == 1)
    }
}
