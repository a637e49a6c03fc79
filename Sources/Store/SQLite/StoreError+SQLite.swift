import CSQLite
import Glibc
package import Record

extension StoreError {
    /// The error that a connection has just reported. Call it before anything else touches the connection.
    ///
    /// - Parameters:
    ///   - errno: what the C library's was right after the call. SQLite keeps it for most calls, but not for COMMIT, and
    ///     there it tells a quota from a broken disk.
    init(_ database: OpaquePointer, what: String, path: String, errno: Int32) {
        let extended = sqlite3_extended_errcode(database)
        let fromSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(extended & 0xFF)
        let kept = sqlite3_system_errno(database)
        let system = !fromSystem ? 0 : kept != 0 ? kept : errno
        self.init(
            Self.kind(of: extended, systemError: system), what: what, path: path, extendedCode: extended,
            systemError: system, message: String(cString: sqlite3_errmsg(database)))
    }

    /// Sorts SQLite's result codes by what a person can do about them.
    package static func kind(of extendedCode: Int32, systemError: Int32) -> Kind {
        switch extendedCode & 0xFF {
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
        case SQLITE_READONLY: .notWritable
        case SQLITE_FULL: .full
        // A quota, or a limit on the size of files, comes as an input/output error.
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError): .full
        case SQLITE_IOERR, SQLITE_NOLFS: .inputOutput
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
        default: .broken
        }
    }
}
