import CSQLite
package import Foundation

/// A SQLite database, seen from a test.
package final class SQLite {
    private var handle: OpaquePointer?

    package init(_ url: URL) throws {
        guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw Problem("cannot open \(url.path)") }
    }

    deinit {
        sqlite3_close(handle)
    }

    package func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw problem }
    }

    /// A column of every row, the first by default, as text; blobs as they are written with `hex()`.
    package func column(_ sql: String, _ number: Int32 = 0) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw problem }
        defer { sqlite3_finalize(statement) }
        var values: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: values.append(sqlite3_column_text(statement, number).map { String(cString: $0) } ?? "NULL")
            case SQLITE_DONE: return values
            default: throw problem
            }
        }
    }

    private var problem: Problem { Problem(String(cString: sqlite3_errmsg(handle))) }
}
