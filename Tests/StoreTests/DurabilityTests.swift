import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

struct DurabilityTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `A killed host leaves what it committed and nothing else`() async throws {
        let path = folder.database
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            for number in 0..<100 {
                let run = try store.record(Int64(number))
                try store.append(run, [UInt8(number)])
                try store.commit()
            }
            for number in 100..<150 { try store.record(Int64(number)) }
            kill(getpid(), SIGKILL)
        }
        let runs = try History(path: path).runs(limit: 1000)
        #expect(runs.map { $0.id } == (0..<100).reversed().map { sampleID($0) })
        let store = try Store(path: path)
        #expect(store.nextSequence == 101)
        #expect(try store.history.output(of: sampleID(99)).bytes == [99])
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }

    /// A killed process loses nothing either way: only a power cut shows whether it syncs.
    @Test(arguments: [false, true])
    func `Each commit asks the system once to keep the log, and no more is asked`(_ asHost: Bool) async throws {
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String, asHost = asHost as Bool] in
            try SyncCounter.install()
            let store =
                asHost
                ? try Store(path: path, access: .exclusive, makeRoom: { false }) : try Store(path: path)
            try store.record(0)
            try store.commit()
            for number in 1...20 {
                let before = (SyncCounter.logs, SyncCounter.databases)
                for run in 0..<Int64(number) { try store.record(Int64(number) * 100 + run) }
                try #require(before == (SyncCounter.logs, SyncCounter.databases), "not before it is committed")
                try store.commit()
                try #require((SyncCounter.logs, SyncCounter.databases) == (before.0 + 1, before.1))
                try store.commit()
                try #require(SyncCounter.logs == before.0 + 1, "there was nothing to commit")
            }
        }
    }

    @Test func `No other connection sees what has not been committed`() throws {
        let store = try Store(path: folder.database)
        try store.record(0)
        let reader = try History(path: folder.database)
        #expect(try reader.runs(limit: 9).isEmpty)
        try store.commit()
        #expect(try reader.runs(limit: 9).count == 1)
    }

    @Test func `A turn without writes opens no transaction`() throws {
        let store = try Store(path: folder.database)
        try store.record(0)
        try store.commit()
        let size = try folder.status(of: "runs.db-wal").st_size
        for _ in 0..<10 { try store.commit() }
        #expect(try folder.status(of: "runs.db-wal").st_size == size)
        // Another connection can take the write lock.
        try Database(path: folder.database, access: .readWrite).execute("BEGIN IMMEDIATE; COMMIT")
    }

    @Test func `A full disk stops the store for good and keeps what was committed`() throws {
        let store = try Store(path: folder.database)
        try store.record(0)
        try store.commit()
        let pages = try #require(try store.database.integer("PRAGMA page_count"))
        try store.database.execute("PRAGMA max_page_count = \(pages + 4)")
        let error = try #require(throws: StoreError.self) {
            for number in 1..<10_000 { try store.record(Int64(number)) }
        }
        #expect(error.kind == .full)
        #expect(error.description.contains("the disk or a quota is full; free some space"))
        try store.database.execute("PRAGMA max_page_count = 1000000")
        // Room again, but the turn is lost: continuing would hide that.
        #expect(throws: error) { try store.record(20_000) }
        #expect(throws: error) { try store.commit() }
        #expect(try History(path: folder.database).runs(limit: 9).map { $0.id } == [sampleID(0)])
    }

    @Test func `A commit that the disk does not take is an error`() async throws {
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let store = try Store(path: path)
            try store.record(0)
            try store.commit()
            for number in 1..<40 { try store.record(Int64(number)) }
            var status = stat()
            try #require(stat(path + "-wal", &status) == 0)
            var limit = rlimit(rlim_cur: UInt(status.st_size) + 100, rlim_max: UInt(status.st_size) + 100)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = try #require(throws: StoreError.self) { try store.commit() }
            #expect(error.kind == .full)
            #expect(error.what == "commit what was recorded")
            #expect(throws: error) { try store.commit() }
        }
        #expect(try History(path: path).runs(limit: 100).map { $0.id } == [sampleID(0)])
    }

    @Test func `A reader with an open snapshot stops neither the host nor itself`() throws {
        let store = try Store(path: folder.database)
        try store.record(0)
        try store.commit()
        let reader = try Database(path: folder.database, access: .readOnly)
        try reader.execute("BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM runs") == 1)
        for number in 1..<3000 {
            try store.record(Int64(number))
            if number % 10 == 0 { try store.commit() }
        }
        try store.commit()
        #expect(try reader.integer("SELECT count(*) FROM runs") == 1)
        try reader.execute("COMMIT")
        #expect(try reader.integer("SELECT count(*) FROM runs") == 3000)
    }

    @Test func `Reading while another thread writes sees whole turns`() async throws {
        let path = folder.database
        let store = try Store(path: path)
        let counting = Task.detached {
            let reader = try History(path: path)
            var counts: [Int] = []
            while !Task.isCancelled { counts.append(try reader.runs(limit: 5000).count) }
            return counts + [try reader.runs(limit: 5000).count]
        }
        for turn in 0..<200 {
            for run in 0..<8 { try store.record(Int64(turn * 8 + run)) }
            try store.commit()
        }
        counting.cancel()
        let counts = try await counting.value
        #expect(counts.allSatisfy { $0 % 8 == 0 })
        #expect(counts == counts.sorted())
        #expect(counts.last == 1600)
    }
}
