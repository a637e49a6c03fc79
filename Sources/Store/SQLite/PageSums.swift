import CSQLite
import Record
import Synchronization

/// Checksums of the record's pages: a bit that flipped on the disk is found when its page is read, whether it belongs to a row, to
/// an index or to what holds them together, and so is a page that another program wrote.
///
/// It is a file system in SQLite's sense (sqlite.org/vfs.html): the standard one, but for the pages of a database. A page is summed
/// where it goes to the file, when the log is copied there; the log has sums of its own. The last eight bytes of a page, which a
/// database can keep free (sqlite.org/fileformat2.html, "Reserved bytes per page"), hold a mark and the sum. A record that an
/// earlier version made has none.
///
/// A page that does not have its sum is noted and read all the same: rows of it that make no sense are set aside one by one.
///
/// *Thread*: any; each file has its connection's.
enum PageSums {
    /// Bytes at the end of each page.
    static let reserved: Int32 = 8
    private static let mark: UInt32 = 0x6D75_7354  // "Tsum"
    /// Where the header of a database says how many bytes are reserved.
    private static let reservedPlace = 20

    /// What is kept of a file, behind the standard file's own bytes.
    @unsafe private struct FileNote {
        let mark = PageSums.mark
        /// The standard file system's.
        var methods: UnsafePointer<sqlite3_io_methods>
        var hasSums = false
        /// For the page that is written.
        var room: UnsafeMutableRawPointer?
        var damage = PageDamage()
    }

    /// Never changed after SQLite has made it: safe from any thread.
    private nonisolated(unsafe) static let base = unsafe sqlite3_vfs_find(nil)
    private static let place = unsafe base.map { unsafe Int($0.pointee.szOsFile + 7) & ~7 } ?? 0

    /// To open files with; nil when SQLite has no file system. It lives as long as the process.
    nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs>? = {
        guard let base = unsafe base else { return nil }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: base.pointee)
        unsafe system.pointee.pNext = nil
        let text = Array(name.utf8CString)
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
        unsafe words.initialize(from: text, count: text.count)
        unsafe system.pointee.zName = unsafe UnsafePointer(words)
        unsafe system.pointee.szOsFile = Int32(place + MemoryLayout<FileNote>.size)
        unsafe system.pointee.xOpen = { _, path, file, flags, outFlags in
            guard let file = unsafe file else { return SQLITE_CANTOPEN }
            return unsafe PageSums.open(path, file, flags, outFlags)
        }
        return unsafe sqlite3_vfs_register(system, 0) == SQLITE_OK ? system : nil
    }()

    /// The name to open a connection with; nil: the standard one.
    static var systemName: String? { unsafe system == nil ? nil : name }
    private static let name = "taskhost-sums"

    /// The database of a connection. Valid as long as the connection.
    @safe struct File {
        private let connection: OpaquePointer
        private let note: UnsafeMutablePointer<FileNote>

        /// nil: it is kept without sums.
        init?(of connection: OpaquePointer) {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard unsafe system != nil,
                unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
                let file = unsafe file, unsafe PageSums.note(of: file).pointee.mark == mark
            else { return nil }
            unsafe self.connection = unsafe connection
            unsafe note = unsafe PageSums.note(of: file)
        }

        /// The pages that did not have their sum when this connection read them.
        var damage: PageDamage { unsafe note.pointee.damage }

        /// Whether its pages have sums, once something of it was read.
        var hasSums: Bool { unsafe note.pointee.hasSums }

        /// Has every page of a new file summed, before anything is in it.
        func begin() {
            var bytes = reserved
            let result = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
            if result == SQLITE_OK { unsafe note.pointee.hasSums = true }
        }
    }

    private static func note(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<FileNote> {
        unsafe (UnsafeMutableRawPointer(file) + place).assumingMemoryBound(to: FileNote.self)
    }

    // MARK: The file system

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let base = unsafe base else { return SQLITE_CANTOPEN }
        let result = unsafe base.pointee.xOpen(base, path, file, flags, outFlags)
        guard result == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let methods = unsafe file.pointee.pMethods,
            let replaced = unsafe replaced(for: methods)
        else { return result }
        unsafe note(of: file).initialize(to: FileNote(methods: methods))
        unsafe file.pointee.pMethods = unsafe UnsafePointer(replaced)
        return result
    }

    /// What takes the place of the standard methods, which differ by the kind of locks: addresses by addresses; never freed.
    private static let known = Mutex<[UInt: UInt]>([:])

    private static func replaced(
        for original: UnsafePointer<sqlite3_io_methods>
    ) -> UnsafeMutablePointer<sqlite3_io_methods>? {
        let address = known.withLock { known in
            if let address = known[UInt(bitPattern: original)] { return address }
            let replaced = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            unsafe replaced.initialize(to: original.pointee)
            unsafe replaced.pointee.xClose = { unsafe PageSums.close($0) }
            unsafe replaced.pointee.xRead = { unsafe PageSums.read($0, $1, $2, $3) }
            unsafe replaced.pointee.xWrite = { unsafe PageSums.write($0, $1, $2, $3) }
            known[UInt(bitPattern: original)] = UInt(bitPattern: replaced)
            return UInt(bitPattern: replaced)
        }
        return unsafe UnsafeMutablePointer(bitPattern: address)
    }

    private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        guard let file = unsafe file else { return SQLITE_IOERR }
        unsafe note(of: file).pointee.room?.deallocate()
        unsafe note(of: file).pointee.room = nil
        return unsafe note(of: file).pointee.methods.pointee.xClose(file)
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        guard let file = unsafe file, let bytes = unsafe bytes else { return SQLITE_IOERR }
        let note = unsafe note(of: file)
        let result = unsafe note.pointee.methods.pointee.xRead(file, bytes, count, offset)
        guard result == SQLITE_OK else { return result }
        let page = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        if offset == 0 { unsafe learn(from: page, note) }
        if unsafe note.pointee.hasSums, let number = number(ofPageAt: offset, count: count),
            unsafe !isSound(page, number)
        {
            unsafe note.pointee.damage.add(number)
        }
        return SQLITE_OK
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        guard let file = unsafe file, let bytes = unsafe bytes else { return SQLITE_IOERR }
        let note = unsafe note(of: file)
        // The end of a page is ours only where SQLite keeps it free.
        if offset == 0, count > reservedPlace {
            unsafe note.pointee.hasSums = Int32(bytes.load(fromByteOffset: reservedPlace, as: UInt8.self)) == reserved
        }
        guard unsafe note.pointee.hasSums, let number = number(ofPageAt: offset, count: count) else {
            return unsafe note.pointee.methods.pointee.xWrite(file, bytes, count, offset)
        }
        let room = unsafe note.pointee.room ?? .allocate(byteCount: largestPage, alignment: 8)
        unsafe note.pointee.room = unsafe room
        unsafe room.copyMemory(from: bytes, byteCount: Int(count))
        let page = unsafe UnsafeMutableRawBufferPointer(start: room, count: Int(count))
        unsafe page.storeBytes(of: mark, toByteOffset: page.count - 8, as: UInt32.self)
        unsafe page.storeBytes(
            of: sum(UnsafeRawBufferPointer(page), number), toByteOffset: page.count - 4, as: UInt32.self)
        return unsafe note.pointee.methods.pointee.xWrite(file, room, count, offset)
    }

    // MARK: Pages

    private static let largestPage = 65_536

    /// SQLite reads and writes a database by whole pages, but for its header.
    private static func number(ofPageAt offset: Int64, count: Int32) -> UInt32? {
        guard count >= 512, count.nonzeroBitCount == 1, offset % Int64(count) == 0 else { return nil }
        return UInt32(truncatingIfNeeded: offset / Int64(count) + 1)
    }

    /// The first page says whether pages have sums, in two places: one bit cannot change both.
    private static func learn(from page: UnsafeRawBufferPointer, _ note: UnsafeMutablePointer<FileNote>) {
        guard page.count > reservedPlace else { return }
        let isReserved = unsafe Int32(page[reservedPlace]) == reserved
        let isMarked = unsafe number(ofPageAt: 0, count: Int32(page.count)) != nil && marked(page)
        if isReserved || isMarked { unsafe note.pointee.hasSums = true }
    }

    private static func marked(_ page: UnsafeRawBufferPointer) -> Bool {
        unsafe page.loadUnaligned(fromByteOffset: page.count - 8, as: UInt32.self) == mark
    }

    private static func isSound(_ page: UnsafeRawBufferPointer, _ number: UInt32) -> Bool {
        let stored = unsafe page.loadUnaligned(fromByteOffset: page.count - 4, as: UInt32.self)
        if unsafe marked(page), unsafe stored == sum(page, number) { return true }
        // An unused page that was never written.
        return unsafe page.allSatisfy { $0 == 0 }
    }

    /// Of all but itself and of the page's number. Each word goes in by a step that has an inverse, so a change of one word changes
    /// its lane; four lanes, because a step waits for the one before.
    private static func sum(_ page: UnsafeRawBufferPointer, _ number: UInt32) -> UInt32 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var lanes = (UInt64(number), UInt64(1), UInt64(2), UInt64(3))
        var place = 0
        while place < page.count {
            let last = place + 32 == page.count
            unsafe lanes.0 = (lanes.0 ^ page.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* factor
            unsafe lanes.1 = (lanes.1 ^ page.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)) &* factor
            unsafe lanes.2 = (lanes.2 ^ page.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self)) &* factor
            var word = unsafe page.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self)
            if last { word = UInt64(littleEndian: word) & 0xFFFF_FFFF }
            lanes.3 = (lanes.3 ^ word) &* factor
            place += 32
        }
        var all = lanes.0
        all = (all ^ (all >> 29) ^ lanes.1) &* factor
        all = (all ^ (all >> 29) ^ lanes.2) &* factor
        all = (all ^ (all >> 29) ^ lanes.3) &* factor
        return UInt32(truncatingIfNeeded: all >> 32)
    }
}
