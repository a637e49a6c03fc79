/// Which turns are durable while syncs take their time. One sync is under way at most, and makes durable what was committed before
/// it began.
struct SyncQueue {
    /// The newest turn that is durable with all before it.
    private(set) var durable: UInt64 = 0
    /// The newest turn, and the newest one with writes.
    private var (newest, written): (UInt64, UInt64) = (0, 0)
    private(set) var isSyncing = false
    /// Turns came while the last sync was under way: others will come right after its end, which answers their workers, and are to
    /// share the next one.
    private(set) var isBusy = false
    private var hasCompany = false

    /// A commit has returned that was synced itself. None other is under way.
    mutating func didSync(_ turn: UInt64) { (newest, written, durable) = (turn, turn, turn) }

    /// A turn was committed, and not synced.
    ///
    /// - Returns: a sync is to begin.
    mutating func add(_ turn: UInt64, hasWrites: Bool) -> Bool {
        newest = turn
        if hasWrites { written = turn }
        guard !isSyncing else {
            hasCompany = hasCompany || hasWrites
            return false
        }
        if !hasWrites { durable = turn }
        isSyncing = hasWrites
        return hasWrites
    }

    /// The sync under way has succeeded.
    ///
    /// - Parameter covered: the newest turn that was committed when it began.
    /// - Returns: another one is to begin.
    mutating func didFinish(covering covered: UInt64) -> Bool {
        isSyncing = written > covered
        durable = isSyncing ? covered : newest
        (isBusy, hasCompany) = (hasCompany, false)
        return isSyncing
    }
}
