import CSQLite
import Glibc

/// Counts how often SQLite asks the system to keep what was written to a database or to its log. It stands as SQLite's own
/// file system in front of the standard one, for the whole process and for ever: use it in a process of a test's own.
package enum SyncCounter {
    /// Syncs of logs and of databases so far. One thread uses SQLite.
    package private(set) nonisolated(unsafe) static var logs = 0
    package private(set) nonisolated(unsafe) static var databases = 0

    private nonisolated(unsafe) static let base = sqlite3_vfs_find(nil)
    /// The standard methods for databases and for logs, which differ in their locks, and ours that stand for them.
    private nonisolated(unsafe) static var originals: [UnsafePointer<sqlite3_io_methods>?] = [nil, nil]
    private nonisolated(unsafe) static let counting = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 2)

    /// To be called before SQLite opens anything.
    package static func install() throws {
        guard let base else { throw Problem("SQLite has no file system") }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: base.pointee)
        system.pointee.pNext = nil
        system.pointee.zName = UnsafePointer(strdup("counting"))
        system.pointee.xOpen = { _, path, file, flags, outFlags in
            guard let base = SyncCounter.base, let file else { return SQLITE_CANTOPEN }
            let result = base.pointee.xOpen(base, path, file, flags, outFlags)
            let isLog = flags & SQLITE_OPEN_WAL != 0
            guard result == SQLITE_OK, isLog || flags & SQLITE_OPEN_MAIN_DB != 0, let methods = file.pointee.pMethods
            else { return result }
            SyncCounter.count(file, methods, isLog: isLog)
            return result
        }
        guard sqlite3_vfs_register(system, 1) == SQLITE_OK else { throw Problem("SQLite takes no file system") }
    }

    private static func count(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>, isLog: Bool
    ) {
        let place = isLog ? 1 : 0
        originals[place] = methods
        (counting + place).initialize(to: methods.pointee)
        if isLog {
            counting[place].xSync = { file, flags in
                SyncCounter.logs += 1
                return SyncCounter.originals[1]?.pointee.xSync(file, flags) ?? SQLITE_IOERR
            }
        } else {
            counting[place].xSync = { file, flags in
                SyncCounter.databases += 1
                return SyncCounter.originals[0]?.pointee.xSync(file, flags) ?? SQLITE_IOERR
            }
        }
        file.pointee.pMethods = UnsafePointer(counting + place)
    }
}
