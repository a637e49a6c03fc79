import CSQLite
import Linux
import Record
import TaskModel

/// How turns become durable: each with its commit, or, where the disk is slow, by syncs that a thread does while the loop goes on.
/// Thread: the store's.
final class TurnSync {
    private let database: Database
    private let syncer: LogSyncer
    private var pace = SyncPace()
    private var queue = SyncQueue()
    private let isFixed: Bool?
    /// How long the last sync took.
    private var last = TimeSpan.zero
    /// The part of that for which the next one waits for company.
    private static let share: Int64 = 16
    /// Commits do not sync.
    private(set) var overlaps = false

    var durableTurn: UInt64 { queue.durable }
    var bell: Int32 { syncer.bell.number }

    /// - Parameters:
    ///   - overlaps: always or never, for tests; nil: as the disk is.
    ///   - log: its path; nil: the database's own.
    init(_ database: Database, overlaps: Bool?, log: String? = nil) throws(StoreError) {
        self.database = database
        isFixed = overlaps
        do throws(SystemError) {
            syncer = try LogSyncer(log: log ?? database.path + "-wal")
        } catch {
            throw StoreError(.cannotOpen, what: Database.opening, path: database.path, error.code)
        }
        try change()
    }

    deinit { syncer.end() }

    func set(_ hooks: LogSyncer.Hooks) { syncer.set(hooks) }

    /// A turn was committed.
    ///
    /// - Parameter span: how long its commit took; nil: it had no writes.
    func didCommit(_ turn: UInt64, in span: TimeSpan?) throws(StoreError) {
        guard overlaps else {
            queue.didSync(turn)
            if let span {
                pace.observe(span)
                try change()
            }
            return
        }
        if span != nil { syncer.didCommit(turn) }
        if queue.add(turn, hasWrites: span != nil) { begin() }
    }

    /// Notes a sync that has ended.
    ///
    /// - Throws: when it failed. The kernel may call the lost pages clean afterwards (fsync(2)): no later one makes up for it.
    func settle() throws(StoreError) {
        guard queue.isSyncing, let result = syncer.take() else { return }
        guard result.code == .success else {
            throw StoreError(
                StoreError.kind(of: SQLITE_IOERR, result.code), what: "commit what was recorded", path: database.path,
                extendedCode: SQLITE_IOERR | 4 << 8, result.code)
        }
        pace.observe(result.span)
        last = result.span
        if queue.didFinish(covering: result.turn) { return begin() }
        try change()
    }

    /// Where turns come one upon another, those that follow in a moment are to share the sync.
    private func begin() {
        syncer.begin(after: queue.isBusy ? TimeSpan(nanoseconds: last.nanoseconds / Self.share) : .zero)
    }

    /// To the other way, if the disk has become such. Between transactions, while no sync is under way.
    private func change() throws(StoreError) {
        let wish = isFixed ?? pace.overlaps
        guard wish != overlaps, !wish || syncer.start() else { return }
        // NORMAL syncs the log before it is copied into the file, and not at commits (sqlite.org/pragma.html).
        try database.execute("PRAGMA synchronous = \(wish ? "NORMAL" : "FULL")")
        overlaps = wish
    }
}
