import CSQLite
package import Linux
package import Record

extension StoreError {
    /// The error that a connection has just reported. Call it before anything else touches the connection.
    ///
    /// - Parameters:
    ///   - last: the C library's errno right after the call. SQLite keeps it for most calls, but not for COMMIT, where
    ///     it distinguishes a quota from a broken disk.
    init(_ database: OpaquePointer, what: String, path: String, last: Errno) {
        let extended = unsafe sqlite3_extended_errcode(database)
        let fromSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(extended & 0xFF)
        let kept = unsafe sqlite3_system_errno(database)
        let system = !fromSystem ? Errno(0) : kept != 0 ? Errno(kept) : last
        unsafe self.init(
            Self.kind(of: extended, system), what: what, path: path, extendedCode: extended, system,
            message: String(cString: sqlite3_errmsg(database)))
    }

    init(
        _ kind: Kind, what: String, path: String, extendedCode: Int32 = 0, _ system: Errno, message: String = ""
    ) {
        self.init(
            kind, what: what, path: path, extendedCode: extendedCode, systemError: system.rawValue,
            systemWords: system == Errno(0) ? "" : system.description, message: message)
    }

    /// Classifies SQLite's result codes by what the user can do about them.
    package static func kind(of extendedCode: Int32, _ system: Errno) -> Kind {
        switch extendedCode & 0xFF {
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
        case SQLITE_READONLY: .notWritable
        case SQLITE_FULL: .full
        // A quota, or a limit on the size of files, comes as an input/output error.
        case SQLITE_IOERR where [.ENOSPC, .EDQUOT, .EFBIG].contains(system): .full
        case SQLITE_IOERR, SQLITE_NOLFS: .inputOutput
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
        default: .broken
        }
    }
}
