import CSQLite
import Foundation

/// The record of runs, seen past the program.
enum SQLite {
    static func execute(_ statements: String, on file: URL) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(file.path, &handle) == SQLITE_OK,
            sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK
        else { throw Problem("cannot change \(file.path): \(String(cString: sqlite3_errmsg(handle)))") }
    }
}
