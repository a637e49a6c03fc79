import CSQLite

/// How long the write-ahead log has become. Thread: that of the connection.
final class LogWatch {
    /// The length to which the log is cut when it restarts, in bytes.
    static let limit = 4 << 20
    /// Pages in it after which they are copied into the file: SQLite's own default.
    private static let fullPages: Int32 = 1000
    /// What the log has of each page besides it.
    private static let frameHeader = 24

    /// The largest number of pages since it was last cut.
    private var highest: Int32 = 0
    /// Pages that the last commit left in it.
    private var present: Int32 = 0
    /// A page with its header, in bytes.
    private var frameSize = 0
    private var isAttached = false

    /// Its file is so much longer than `limit` that it is worth cutting while the host is idle.
    var isLong: Bool { Int(highest) * frameSize > Self.limit + Self.limit / 2 }

    func wasCutBack() { (highest, present) = (0, 0) }

    /// The least size that its file has now, in bytes (sqlite.org/fileformat2.html, "The Write-Ahead Log").
    var leastSize: UInt64 { present > 0 ? 32 + UInt64(present) * UInt64(frameSize) : 0 }

    /// Takes the place of SQLite's own hook, which does the same but for counting.
    ///
    /// - Parameter pageSize: of the database, in bytes.
    func begin(on connection: OpaquePointer, pageSize: Int) {
        isAttached = true
        frameSize = pageSize + Self.frameHeader
        _ = unsafe sqlite3_wal_hook(
            connection,
            { context, connection, name, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                let watch = unsafe Unmanaged<LogWatch>.fromOpaque(context).takeUnretainedValue()
                (watch.highest, watch.present) = (max(watch.highest, pages), pages)
                if pages >= LogWatch.fullPages {
                    // Where readers are in the way, the next commit tries again.
                    _ = unsafe sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    func end(on connection: OpaquePointer) {
        guard isAttached else { return }
        _ = unsafe sqlite3_wal_hook(connection, nil, nil)
        // With a limit, closing removes the log; one of usual length is left for the next host to overwrite.
        if !isLong { _ = unsafe sqlite3_exec(connection, "PRAGMA journal_size_limit = -1", nil, nil, nil) }
    }
}
