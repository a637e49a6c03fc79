/// Which turns are durable while syncs take their time.
///
/// A transaction is committed when the one before it is durable, and takes all turns that come until then: what a power cut leaves
/// behind the durable part of the log is the rest of one transaction at most (`LogSight`).
struct SyncQueue {
    enum Step: Equatable {
        case nothing
        /// Commit what was written, and begin a sync.
        case commit
        /// Wait a moment before that.
        case rest
    }

    private enum Phase {
        case idle
        case resting
        case syncing
    }

    /// The newest turn that is durable with all before it.
    private(set) var durable: UInt64 = 0
    /// The newest turn, the newest one with writes, and the newest of the transaction that is being synced.
    private var (newest, written, covered): (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var phase = Phase.idle
    private var hasCompany = false
    /// Turns came upon the last transaction before it was durable. Others will follow its end, which has their workers go on, and
    /// are to share the next one.
    private var isBusy = false

    var isIdle: Bool { phase == .idle }

    /// A turn's writes, if it had any, were committed and synced at once. Nothing was under way.
    mutating func didSync(at turn: UInt64) { (newest, written, durable) = (turn, turn, turn) }

    /// A turn was written, and not committed.
    mutating func add(_ turn: UInt64, hasWrites: Bool) -> Step {
        newest = turn
        if hasWrites { written = turn }
        guard phase == .idle else {
            hasCompany = hasCompany || hasWrites
            return .nothing
        }
        guard hasWrites else {
            durable = turn
            return .nothing
        }
        return next()
    }

    /// The wait is over.
    mutating func didRest() -> Step {
        (phase, covered) = (.syncing, newest)
        return .commit
    }

    /// The sync has succeeded.
    mutating func didSync() -> Step {
        (phase, isBusy, hasCompany) = (.idle, hasCompany, false)
        guard written > covered else {
            durable = newest
            return .nothing
        }
        durable = covered
        return next()
    }

    private mutating func next() -> Step {
        guard isBusy else { return didRest() }
        phase = .resting
        return .rest
    }
}
