import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

@Suite("A record that is its host's alone")
struct ExclusiveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("keeps readers and writers of other processes out until it is closed, and needs no shared memory")
    func alone() throws {
        do {
            let store = try Store(path: folder.database, access: .exclusive)
            try store.record(0)
            try store.commit()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix("-shm") })
            for statement in ["BEGIN IMMEDIATE; ROLLBACK", "SELECT count(*) FROM runs"] {
                let shell = try Command.run("sqlite3", [folder.database, statement])
                #expect(shell.output.contains("locked"), "\(shell)")
            }
            // No other process holds up what comes now.
            try store.record(1)
            try store.commit()
        }
        #expect(try Command.run("sqlite3", [folder.database, "SELECT count(*) FROM runs"]).output == "2\n")
    }

    @Test("waits for a process that has it open, and no longer than its patience")
    func patience() throws {
        try Store(path: folder.database).commit()
        let reader = try Program("python3", ["-c", Self.reader, folder.database])
        try reader.wait(forText: "reading")
        let error = #expect(throws: StoreError.self) {
            _ = try Store(path: folder.database, access: .exclusive, patience: .milliseconds(50))
        }
        #expect(error?.kind == .locked)
        try reader.signal(SIGTERM)
        let store = try Store(path: folder.database, access: .exclusive, patience: .seconds(60))
        #expect(try store.history.runs(limit: 9).isEmpty)
    }

    /// Has the file open, as a shell that was left at its prompt.
    private static let reader = """
        import sqlite3, sys, time
        connection = sqlite3.connect(sys.argv[1])
        connection.execute("SELECT count(*) FROM runs").fetchall()
        print("reading", flush=True)
        time.sleep(600)
        """
}
