import Linux
import Record
import TaskModel

/// When the record is looked after: old rows are forgotten a little at a time, and the file is kept small.
struct Upkeep {
    private let configuration: HostConfiguration
    private let schedules: Bool
    private var retentionClock: RetentionClock
    private var pace = PruningPace()
    /// Old rows that were found, and are forgotten little by little.
    private var forgettable = Forgettable()
    /// When the file is to be made smaller while nothing else is to be done.
    private var nextShrinking = Instant(nanoseconds: 0)
    /// Output recorded since the file's size was looked at; at the start as much as can be.
    private var unweighedOutput = Int.max / 2

    /// Rows that are looked at together.
    private static let lookedAtOnce = 500
    /// Output after which the size is looked at again.
    private static let outputBetweenLooks = 16 << 20
    /// Between two steps of giving space back, and until the first.
    private static let shrinkingPause = TimeSpan.milliseconds(20)
    /// Until the log is looked at again that somebody reads from.
    private static let readersPause = TimeSpan.minutes(1)

    /// - Parameter newest: the latest moment that the record tells of.
    init(_ place: HostPlace, newest: Timestamp?) {
        configuration = place.configuration
        schedules = place.schedules
        retentionClock = RetentionClock(at: Clock.moment(), newest: newest)
    }

    mutating func willWrite(_ write: RecordWrite) {
        if case .output(_, let bytes, _) = write { unweighedOutput += bytes.count }
    }

    // MARK: Forgetting

    /// What this turn forgets: what is old, and what is too much.
    ///
    /// - Parameters:
    ///   - isIdle: the turn has nothing to write.
    ///   - runsAdded: it adds so many.
    mutating func forget(
        from store: any RecordStore, into record: inout TurnRecord, isIdle: Bool, runsAdded: Int, at now: ClockReading
    ) throws(StoreError) {
        if pace.isDue(at: now.instant) {
            if forgettable.isEmpty {
                forgettable = try old(in: store, at: now)
                pace.looked(foundAny: !forgettable.isEmpty, at: now.instant)
            }
            let portion = forgettable.take(pace.portion(isIdle: isIdle, runsAdded: runsAdded))
            if !portion.isEmpty {
                wantSmall(at: now)
                record.append(.forgotten(portion))
            }
        }
        if let rows = try excess(in: store, at: now) { record.append(.forgotten(rows)) }
    }

    /// What is too old, or too much by number: one look's worth.
    mutating func all(in store: any RecordStore, at now: ClockReading) throws(StoreError) -> Forgettable {
        try old(in: store, at: now)
    }

    private mutating func old(in store: any RecordStore, at now: ClockReading) throws(StoreError) -> Forgettable {
        try store.findForgettable(
            endedBefore: retentionClock.time(at: now) - configuration.retentionAge,
            keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
    }

    /// What is beyond the bound in bytes, one step a turn.
    private mutating func excess(in store: any RecordStore, at now: ClockReading) throws(StoreError) -> Forgettable? {
        guard unweighedOutput >= min(Self.outputBetweenLooks, Int(configuration.retentionSize.bytes / 16)) else {
            return nil
        }
        wantSmall(at: now)
        let found = try store.findExcess(beyond: configuration.retentionSize)
        if !found.isEmpty { return found }
        unweighedOutput = 0
        return nil
    }

    // MARK: A small file

    /// Something was thrown away.
    private mutating func wantSmall(at now: ClockReading) {
        if nextShrinking == .distantFuture { nextShrinking = now.instant + Self.shrinkingPause }
    }

    /// Gives what is not used back to the file system, one step at a time. Between two turns.
    ///
    /// - Parameter isIdle: neither this turn nor the next has anything else to do.
    mutating func shrink(_ store: any RecordStore, isIdle: Bool, at now: ClockReading) throws(StoreError) {
        // A short-lived host leaves it to the daemon, and to the end of the record.
        guard schedules else { return nextShrinking = .distantFuture }
        if store.isLogLong { wantSmall(at: now) }
        guard nextShrinking <= now.instant else { return }
        guard isIdle else { return nextShrinking = now.instant + Self.shrinkingPause }
        nextShrinking =
            switch try store.shrink() {
            case .done: .distantFuture
            case .unfinished: now.instant + Self.shrinkingPause
            case .heldUp: now.instant + Self.readersPause
            }
    }

    /// When it has something to do, though nothing happens.
    func nextDeadline(after now: Instant) -> Instant { min(pace.deadline(after: now), nextShrinking) }
}
