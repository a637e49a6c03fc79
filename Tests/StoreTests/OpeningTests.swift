import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

struct OpeningTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The error with which a host and a reader are refused.
    private func refusals() -> (host: StoreError?, reader: StoreError?) {
        let host = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
        let reader = #expect(throws: StoreError.self) { _ = try History(path: folder.database) }
        return (host, reader)
    }

    @Test func `Only the owner can read what is recorded`() throws {
        let previous = umask(0)
        defer { umask(previous) }
        let store = try Store(path: folder.database)
        try store.record(0)
        try store.commit()
        #expect(try folder.names() == ["runs.db", "runs.db-shm", "runs.db-wal"])
        for name in try folder.names() { #expect(try folder.status(of: name).st_mode & 0o7777 == 0o600) }
    }

    @Test func `The log outlives the host, so that the next one need not grow it again`() throws {
        do {
            let store = try Store(path: folder.database)
            try store.record(0)
            try store.commit()
        }
        #expect(try folder.status(of: "runs.db-wal").st_size > 0)
        #expect(try History(path: folder.database).runs(limit: 9).count == 1)
    }

    @Test func `A file of a newer schema is refused and left as it is`() throws {
        _ = try Store(path: folder.database)
        try Database(path: folder.database, access: .readWrite).execute("PRAGMA user_version = 99")
        let before = try folder.status(of: "runs.db")
        let (host, reader) = refusals()
        #expect(host?.kind == .newerSchema(found: 99, known: RecordSchema.current.version))
        #expect(reader?.kind == .newerSchema(found: 99, known: RecordSchema.current.version))
        #expect(
            host?.description
                == "cannot open the record of runs; \(folder.database): was written by a newer taskhost (schema 99; this one "
                + "knows \(RecordSchema.current.version)); use that version, or another --state folder")
        let after = try folder.status(of: "runs.db")
        #expect(after.st_size == before.st_size && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    }

    @Test func `The database of another program is refused`() throws {
        try Database(path: folder.database, access: .readWrite).execute("CREATE TABLE notes (text)")
        let (host, reader) = refusals()
        #expect(host?.kind == .foreign)
        #expect(reader?.kind == .foreign)
        #expect(try folder.names() == ["runs.db"])
    }

    @Test func `A file that is no database is refused`() throws {
        try folder.write(Array(String(repeating: "Dear diary, ", count: 1000).utf8))
        let (host, reader) = refusals()
        #expect(host?.kind == .corrupt)
        #expect(reader?.kind == .corrupt)
        #expect(host?.description.contains("not a database") == true)
    }

    @Test func `A damaged page is noticed when it is read`() throws {
        do {
            let store = try Store(path: folder.database)
            for number in 0..<500 { try store.record(Int64(number)) }
            try store.commit()
            // The log would hide the damage.
            try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let size = Int(try folder.status(of: "runs.db").st_size)
        for page in 1..<(size / 4096) { try folder.write([UInt8](repeating: 0xEE, count: 4096), at: page * 4096) }
        let host = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
        #expect(host?.kind == .corrupt)
        let reader = #expect(throws: StoreError.self) { _ = try History(path: folder.database).runs(limit: 9) }
        #expect(reader?.kind == .corrupt)
    }

    @Test(arguments: [
        "outcome = 200", "reason = -1", "ulid = x'00'", "events = x'FF'", "events = x'0100'", "events = x'010080'",
        "events = x'010080808080808080808080808001'", "events = zeroblob(100000)", "result_kind = 9",
    ])
    func `A row that makes no sense is said in its page, and does not end the list`(_ assignment: String) throws {
        let store = try Store(path: folder.database)
        for number in 0..<3 { try store.record(Int64(number)) }
        try store.commit()
        try store.database.execute("UPDATE runs SET \(assignment) WHERE seq = 2")
        let page = try store.history.runs(matching: RunFilter(), before: nil, limit: 9)
        #expect(page.elements.map(\.submittedAt) == [moment(2), moment(0)] && page.next == nil)
        #expect(page.unreadable == [UnreadableRow(table: "runs", number: 2)])
        #expect(page.unreadable.first?.sentence == "row 2 of runs makes no sense")
        let some = try store.history.runs(matching: RunFilter(tasks: [1]), before: nil, limit: 9)
        #expect(some.elements == page.elements && some.unreadable == page.unreadable)
    }

    @Test func `Reading where nothing was recorded says so and makes no file`() throws {
        let absent = #expect(throws: StoreError.self) { _ = try History(path: folder.database) }
        #expect(absent?.kind == .missing)
        #expect(try folder.names() == [])
        try folder.write([])
        let empty = #expect(throws: StoreError.self) { _ = try History(path: folder.database) }
        #expect(empty?.kind == .missing)
    }

    @Test func `A folder that is not there is named with its cause`() throws {
        let path = folder.path + "/absent/runs.db"
        let error = #expect(throws: StoreError.self) { _ = try Store(path: path) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.systemError == ENOENT)
        #expect(error?.description.contains("\(path): No such file or directory; check the owner") == true)
    }

    @Test func `A folder that may not be written is an error for another user's host`() async throws {
        try #require(chmod(folder.path, 0o555) == 0)
        defer { chmod(folder.path, 0o755) }
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            let user = geteuid()
            if user == 0 { try #require(seteuid(65_534) == 0) }
            defer { seteuid(user) }
            let error = #expect(throws: StoreError.self) { _ = try Store(path: path) }
            #expect(error?.kind == .cannotOpen)
            #expect(error?.systemError == EACCES)
        }
    }

    @Test func `A file that may only be read is not opened for writing`() async throws {
        do {
            let store = try Store(path: folder.database)
            try store.record(0)
            try store.commit()
        }
        for name in try folder.names() { try #require(chmod("\(folder.path)/\(name)", 0o444) == 0) }
        try #require(chmod(folder.path, 0o755) == 0)
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            let user = geteuid()
            if user == 0 { try #require(seteuid(65_534) == 0) }
            defer { seteuid(user) }
            let error = #expect(throws: StoreError.self) { _ = try Store(path: path) }
            #expect(error?.kind == .notWritable)
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `A file that others may change is no host's record`(_ suffix: String) throws {
        do {
            let store = try Store(path: folder.database)
            try store.record(0)
            try store.commit()
        }
        let file = folder.database + suffix
        close(open(file, O_CREAT | O_RDWR, 0o600))
        func expectRefusal(_ words: String) throws {
            let error = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
            #expect(error?.kind == .cannotOpen && error?.description.contains(words) == true)
        }
        try #require(chmod(file, 0o620) == 0)
        try expectRefusal("may be written by other users")
        #expect(try History(path: folder.database).runs(limit: 9).count == 1)
        try #require(chmod(file, 0o600) == 0)
        if geteuid() == 0 {
            try #require(chown(file, 65_534, 65_534) == 0)
            try expectRefusal("belongs to another user (65534)")
            try #require(chown(file, 0, 0) == 0)
        }
        #expect(throws: Never.self) { _ = try Store(path: folder.database) }
    }

    @Test func `A write while another process writes is refused as locked`() throws {
        let store = try Store(path: folder.database)
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StoreError.self) { try store.record(0) }
        #expect(error?.kind == .locked)
    }
}
