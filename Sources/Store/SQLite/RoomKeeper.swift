import CSQLite
import Linux

/// Finds space for writes that a full disk refused, so that SQLite never sees the error and no turn has to be undone.
///
/// A failed COMMIT rolls its transaction back, and a turn's writes cannot be gathered a second time. So the error is handled
/// where it occurs: within the write of one page to the record or to its log, which is repeated once there is space. It is a
/// file system in SQLite's sense (sqlite.org/vfs.html), that of `PageSums` but for these writes.
///
/// *Thread*: that of the connection. *Lifetime*: SQLite may close a file after its connection has ended, so a keeper is
/// never freed; a process has one.
@safe final class RoomKeeper {
    /// Makes room; false: there is none to be had, and the write fails. Called in the middle of a write: it may not touch the
    /// connection.
    var makeRoom: (() -> Bool)?

    /// Never changed after it was made: safe from any thread.
    private nonisolated(unsafe) static let base = unsafe PageSums.system
    /// The position of a file's keeper: after the standard file's own bytes.
    private static let place = unsafe base.map { unsafe Int($0.pointee.szOsFile + 7) & ~7 } ?? 0

    private let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    /// The standard file system's methods for the record, and for its log: their locks differ.
    private var originals: [UnsafePointer<sqlite3_io_methods>?] = unsafe [nil, nil]
    private let replaced = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 2)
    private let name: UnsafeMutablePointer<CChar>

    /// The name to open a connection with.
    var systemName: String { unsafe String(cString: name) }

    /// nil when SQLite has no file system, or no memory.
    init?() {
        guard let base = unsafe Self.base else { return nil }
        unsafe system.initialize(to: base.pointee)
        let text = Array(unsafe "taskhost-\(UInt(bitPattern: system))".utf8CString)
        unsafe name = .allocate(capacity: text.count)
        unsafe name.initialize(from: text, count: text.count)
        unsafe system.pointee.pNext = nil
        unsafe system.pointee.zName = unsafe UnsafePointer(name)
        unsafe system.pointee.szOsFile = unsafe Int32(Self.place + MemoryLayout<UnsafeMutableRawPointer>.size)
        unsafe system.pointee.pAppData = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe system.pointee.xOpen = { system, path, file, flags, outFlags in
            guard let system = unsafe system, let file = unsafe file, let context = unsafe system.pointee.pAppData
            else { return SQLITE_CANTOPEN }
            return unsafe Unmanaged<RoomKeeper>.fromOpaque(context).takeUnretainedValue().open(
                path, file, flags, outFlags)
        }
        guard unsafe sqlite3_vfs_register(system, 0) == SQLITE_OK else { return nil }
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let base = unsafe Self.base else { return SQLITE_CANTOPEN }
        let result = unsafe base.pointee.xOpen(base, path, file, flags, outFlags)
        let isLog = flags & SQLITE_OPEN_WAL != 0
        guard result == SQLITE_OK, isLog || flags & SQLITE_OPEN_MAIN_DB != 0, let methods = unsafe file.pointee.pMethods
        else {
            return result
        }
        let slot = isLog ? 1 : 0
        if unsafe originals[slot] == nil {
            unsafe originals[slot] = unsafe methods
            unsafe (replaced + slot).initialize(to: methods.pointee)
            unsafe replaced[slot].xWrite = { file, bytes, count, offset in
                unsafe RoomKeeper.retry(file) { unsafe $0.pointee.xWrite(file, bytes, count, offset) }
            }
            unsafe replaced[slot].xShmMap = { file, page, size, extends, out in
                unsafe RoomKeeper.retry(file) { unsafe $0.pointee.xShmMap(file, page, size, extends, out) }
            }
        }
        // A file that is kept otherwise, such as on a network, stays as it is: its methods are others.
        guard unsafe originals[slot] == methods else { return result }
        unsafe UnsafeMutableRawPointer(file).storeBytes(
            of: Unmanaged.passUnretained(self).toOpaque(), toByteOffset: Self.place,
            as: UnsafeMutableRawPointer.self)
        unsafe file.pointee.pMethods = unsafe UnsafePointer(replaced + slot)
        return result
    }

    /// Calls the standard file system, and again while there is no space and some can be made.
    private static func retry(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ call: (UnsafePointer<sqlite3_io_methods>) -> Int32
    ) -> Int32 {
        guard let file = unsafe file else { return SQLITE_IOERR }
        let context = unsafe UnsafeMutableRawPointer(file).load(fromByteOffset: place, as: UnsafeMutableRawPointer.self)
        let keeper = unsafe Unmanaged<RoomKeeper>.fromOpaque(context).takeUnretainedValue()
        let slot = unsafe file.pointee.pMethods == UnsafePointer(keeper.replaced) ? 0 : 1
        guard let original = unsafe keeper.originals[slot] else { return SQLITE_IOERR }
        while true {
            Errno.last = Errno(0)
            let result = unsafe call(original)
            let code = Errno.last
            guard isShortage(result, code), keeper.makeRoom?() == true else { return result }
        }
    }

    /// A quota, and a limit on file sizes, are reported as I/O errors.
    private static func isShortage(_ result: Int32, _ code: Errno) -> Bool {
        switch result {
        case SQLITE_FULL, CSQLITE_IOERR_SHMSIZE: true
        case CSQLITE_IOERR_WRITE: [.ENOSPC, .EDQUOT].contains(code)
        default: false
        }
    }
}
