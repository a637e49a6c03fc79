import CSQLite
import Linux
package import Record

/// A copy of the record that grows a few pages at a time, while its source is written: pages that change after they
/// were copied are copied again. Thread: the source's.
@safe package final class RecordCopy: RecordCopying {
    private let source: Database
    /// nil once it is whole.
    private var target: Database?
    private var handle: OpaquePointer?
    private let path: String

    /// Makes the copy's file; one that exists is refused.
    package init(of history: History, to path: String) throws(StoreError) {
        do throws(SystemError) {
            _ = try Descriptor.open(path, [.O_CREAT, .O_EXCL, .O_RDWR], mode: 0o600)
        } catch {
            throw StoreError(.cannotOpen, what: Self.copying, path: path, error.code)
        }
        self.path = path
        source = history.database
        pageSize = try source.integer("PRAGMA page_size") ?? 4096
        let target = try Database(path: path, access: .readWrite)
        // An unfinished copy may be inconsistent; its creator syncs the complete one.
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", what: Self.copying)
        if source.sums?.hasSums == true { target.sums?.begin() }
        unsafe handle = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main")
        guard unsafe handle != nil else { throw target.error(what: Self.copying) }
        self.target = target
    }

    deinit { if let handle = unsafe handle { _ = unsafe sqlite3_backup_finish(handle) } }

    private static let copying = "copy the record of runs"

    /// Bytes of the copy so far, and of the whole.
    package private(set) var copied: Int64 = 0
    package private(set) var size: Int64 = 0
    private let pageSize: Int64

    package var isHeldUp: Bool { source.isInTransaction }

    /// Copies this many more pages; true once the copy is complete. Between transactions of the source only: uncommitted
    /// data may be lost.
    package func copy(pages: Int32) throws(StoreError) -> Bool {
        guard let handle = unsafe handle, !source.isInTransaction else { return target == nil }
        let result = unsafe sqlite3_backup_step(handle, pages)
        size = unsafe pageSize * Int64(sqlite3_backup_pagecount(handle))
        copied = unsafe size - pageSize * Int64(sqlite3_backup_remaining(handle))
        switch result {
        case SQLITE_OK: return false
        case SQLITE_DONE:
            unsafe self.handle = nil
            guard unsafe sqlite3_backup_finish(handle) == SQLITE_OK else { throw failure }
            target = nil
            return true
        case SQLITE_BUSY, SQLITE_LOCKED: return false
        case let code:
            unsafe self.handle = nil
            let last = Errno.last
            _ = unsafe sqlite3_backup_finish(handle)
            throw StoreError(
                StoreError.kind(of: code, last), what: Self.copying, path: path, extendedCode: code,
                code & 0xFF == SQLITE_IOERR ? last : Errno(0))
        }
    }

    private var failure: StoreError {
        target?.error(what: Self.copying) ?? StoreError(.broken, what: Self.copying, path: path)
    }

    /// Makes one file of a whole copy, which any program reads, also where it may not write; checks that it is sound.
    package static func seal(_ path: String) throws(StoreError) {
        let database = try Database(path: path, access: .exclusive)
        guard try database.checkVersion(.current, anyClock: true) > 0,
            try database.text("PRAGMA quick_check(1)") == "ok"
        else {
            throw StoreError(.corrupt, what: copying, path: path)
        }
        guard try database.text("PRAGMA journal_mode = DELETE") == "delete" else { throw database.error(what: copying) }
    }
}

extension History {
    /// Begins a copy of the whole record as a file of mode 0600; one that exists is refused.
    package func copy(to path: String) throws(StoreError) -> any RecordCopying { try RecordCopy(of: self, to: path) }
}
