import Glibc
import Linux
import Record
import Store
import Testing

struct StoreErrorTests {
    @Test(
        arguments: [
            (13, 0, StoreError.Kind.full), (10 | 3 << 8, ENOSPC, .full), (10 | 3 << 8, EDQUOT, .full),
            (10 | 3 << 8, EIO, .inputOutput), (10 | 4 << 8, EIO, .inputOutput), (8, EROFS, .notWritable),
            (14, EACCES, .cannotOpen), (11, 0, .corrupt), (26, 0, .corrupt), (5, 0, .locked), (5 | 2 << 8, 0, .locked),
            (6, 0, .locked), (19, 0, .broken), (21, 0, .broken), (1, 0, .broken),
        ] as [(Int32, Int32, StoreError.Kind)])
    func `SQLite's codes are sorted by what a user can do`(_ code: Int32, _ system: Int32, _ kind: StoreError.Kind) {
        #expect(StoreError.kind(of: code, Errno(system)) == kind)
    }

    @Test(
        arguments: [
            (
                StoreError.Kind.missing, 0,
                "no run has been recorded here; run a task first, or name the right --state folder"
            ),
            (
                .cannotOpen, EACCES,
                "Permission denied; check the owner and mode of the file and its folder, or use another --state folder"
            ),
            (
                .notWritable, EROFS,
                "Read-only file system; check the owner and mode of the file and its folder, or use another --state folder"
            ),
            (
                .full, ENOSPC,
                "the disk or a quota is full; free some space and start the host again; every run that was acknowledged is safe"
            ),
            (
                .inputOutput, EIO,
                "the disk failed (Input/output error); check the disk (dmesg) and start the host again; every run that was "
                    + "acknowledged is safe"
            ),
            (
                .newerSchema(found: 7, known: 1), 0,
                "was written by a newer taskhost (schema 7; this one knows 1); use that version, or another --state folder"
            ),
            (
                .olderSchema(found: 1, known: 2), 0,
                "was written by an older taskhost (schema 1; this one reads 2); start a host of this version on the folder once, "
                    + "which brings it forward"
            ),
            (.foreign, 0, "is the database of another program; use another --state folder"),
            (
                .corrupt, 0,
                "is damaged or not a database (words); move it away together with its -wal and -shm files, or restore a backup"
            ),
            (.locked, 0, "another process has it open; end that process, then try again"),
            (.broken, 0, "words; this is a fault of taskhost; please report it"),
        ] as [(StoreError.Kind, Int32, String)])
    func `Every error says what failed, where, why, and what to do`(
        _ kind: StoreError.Kind, _ system: Int32, _ end: String
    ) {
        let error = StoreError(
            kind, what: "record a run", path: "/x/runs.db", systemError: system,
            systemWords: system == 0 ? "" : Errno(system).description, message: "words")
        #expect(error.description == "cannot record a run; /x/runs.db: \(end)")
    }
}
