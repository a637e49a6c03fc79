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

    var isIdle: Bool { queue.isIdle }
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
        // A host that was killed may have left what is not on disk, and this one acts on it.
        if log == nil, case .failed(let code) = syncer.syncNow() { throw failure(code) }
        try change()
    }

    deinit { syncer.end() }

    func set(_ hooks: LogSyncer.Hooks) { syncer.set(hooks) }

    /// A turn was committed and synced.
    ///
    /// - Parameter span: how long that took; nil: it had no writes.
    func didSync(_ turn: UInt64, in span: TimeSpan?) throws(StoreError) {
        queue.didSync(at: turn)
        guard let span else { return }
        pace.observe(span)
        try change()
    }

    /// A turn was written, and not committed.
    ///
    /// - Returns: it is to be committed, and then `didCommit` called.
    func add(_ turn: UInt64, hasWrites: Bool) -> Bool { carryOut(queue.add(turn, hasWrites: hasWrites)) }

    func didCommit() { syncer.begin(.sync) }

    /// Notes what the thread has done.
    ///
    /// - Parameter waits: until it has done what is under way.
    /// - Returns: what was written is to be committed, and then `didCommit` called.
    /// - Throws: when a sync failed. The kernel may call the lost pages clean afterwards (fsync(2)): no later one makes up for it.
    func settle(waits: Bool = false) throws(StoreError) -> Bool {
        guard !queue.isIdle, let done = syncer.take(waits: waits) else { return false }
        switch done {
        case .failed(let code): throw failure(code)
        case .rested: return carryOut(queue.didRest())
        case .synced(let span):
            last = span
            pace.observe(span)
            let step = queue.didSync()
            if step == .nothing { try change() }
            return carryOut(step)
        }
    }

    private func carryOut(_ step: SyncQueue.Step) -> Bool {
        if step == .rest { syncer.begin(.rest(TimeSpan(nanoseconds: last.nanoseconds / Self.share))) }
        return step == .commit
    }

    /// To the other way, if the disk has become such: while nothing is under way, and no transaction open.
    private func change() throws(StoreError) {
        let wish = isFixed ?? pace.overlaps
        guard wish != overlaps, !wish || syncer.start() else { return }
        try letCommitsSync(!wish)
        overlaps = wish
    }

    /// Has a transaction besides those of turns synced by its commit. Between transactions, while nothing is under way.
    func withSync(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard overlaps else { return try body() }
        try letCommitsSync(true)
        try body()
        try letCommitsSync(false)
    }

    /// NORMAL syncs the log before it is copied into the file, and not at commits (sqlite.org/pragma.html).
    private func letCommitsSync(_ areSynced: Bool) throws(StoreError) {
        try database.execute("PRAGMA synchronous = \(areSynced ? "FULL" : "NORMAL")")
    }

    private func failure(_ code: Errno) -> StoreError {
        StoreError(
            StoreError.kind(of: SQLITE_IOERR, code), what: "commit what was recorded", path: database.path,
            extendedCode: SQLITE_IOERR | 4 << 8, code)
    }
}
