/// Why the record of runs could not be opened, read or written. Equality is by value; distinguish causes by `kind`.
///
/// A store that has thrown one while writing accepts no further writes: the turn's data are not on disk, so the host has to
/// stop. Nothing is ever retried, because a kernel that failed to write a page may call it clean afterwards (fsync(2),
/// "ERRORS").
package struct StoreError: Error, Sendable, Equatable {
    /// The kind of fault, by what the user can do about it.
    package enum Kind: Sendable, Equatable {
        /// Reading failed because nothing has been recorded there.
        case missing
        /// The file or its folder cannot be opened; `errno` says why.
        case cannotOpen
        /// The file opens for reading alone: its mode, or a read-only file system.
        case notWritable
        /// The disk or the quota is full.
        case full
        /// The disk failed; `errno` says how.
        case inputOutput
        /// The schema is of a later version than this program supports.
        case newerSchema(found: Int, known: Int)
        /// The schema is of an earlier version, and a reader may not bring it forward.
        case olderSchema(found: Int, known: Int)
        /// Its times are those of the other clock: a virtual one, or the machine's.
        case otherClock(isVirtual: Bool)
        /// A database, but not one of ours.
        case foreign
        /// Not a database at all, or a damaged one.
        case corrupt
        /// Its write-ahead log is damaged before its end: frame `frame` is not whole (0: its header), and others follow.
        case damagedLog(frame: Int)
        /// The file is no longer the one that was opened, or nothing is in it.
        case displaced(Change)
        /// Another process has the file open: a host, or a program that reads it.
        case locked
        /// An invariant of this program was broken, such as by a second outcome for one run; `message` says which.
        case broken
    }

    /// What happened to the file of an open record.
    package enum Change: Sendable, Equatable {
        /// Its path leads nowhere.
        case removed
        /// Its path leads to another file.
        case replaced
        /// It was cut to nothing.
        case emptied
        /// The path of its log leads nowhere. What was in the log is in the file.
        case logRemoved
        /// The path of its log leads to another file. What was in the log is in the file.
        case logReplaced
        /// Its log is shorter than it was. What was cut off is lost, whatever was said of it.
        case logCut
    }

    package var kind: Kind
    /// SQLite's extended result code; 0 when SQLite was not asked. The lowest eight bits are the primary code.
    package var extendedCode: Int32
    /// The errno behind it; 0 if unknown.
    package var systemError: Int32
    /// The C library's words for that; empty when there is none.
    package var systemWords: String
    /// What failed, as the rest of "cannot …".
    package var what: String
    /// The database file.
    package var path: String
    /// SQLite's own words, or ours for `broken`; may be empty.
    package var message: String

    package init(
        _ kind: Kind, what: String, path: String, extendedCode: Int32 = 0, systemError: Int32 = 0,
        systemWords: String = "",
        message: String = ""
    ) {
        self.kind = kind
        self.extendedCode = extendedCode
        self.systemError = systemError
        self.systemWords = systemWords
        self.what = what
        self.path = path
        self.message = message
    }

    /// It concerns one row alone: the statement was undone, and the rest of the turn can be written.
    package var isOfOneRow: Bool { kind == .broken && (code == 0 || Self.rowCodes.contains(code)) }

    /// SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH.
    private static let rowCodes: Set<Int32> = [18, 19, 20]

    /// SQLite's primary result code, such as `SQLITE_FULL`.
    package var code: Int32 { extendedCode & 0xFF }
}
