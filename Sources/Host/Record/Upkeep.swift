import Linux
import Record
import Setting
import TaskModel

/// When the record is maintained: old rows are deleted a few at a time, and the file is kept small.
struct Upkeep {
    private let configuration: HostConfiguration
    private let schedules: Bool
    private var retentionClock: RetentionClock
    private var pace = PruningPace()
    /// Old rows that were found, and are forgotten little by little.
    private var forgettable = Forgettable()
    /// When to shrink the file while the host is idle.
    private var nextShrinking = Instant(nanoseconds: 0)
    /// Output recorded since the file's size was checked; the maximum at the start.
    private var unweighedOutput = Int.max / 2

    /// Rows that are checked together.
    private static let lookedAtOnce = 500
    /// Output after which the size is checked again.
    private static let outputBetweenLooks = 16 << 20
    /// Between two steps of giving space back, and until the first.
    private static let shrinkingPause = TimeSpan.milliseconds(20)
    /// When a log that another process reads is checked again.
    private static let readersPause = TimeSpan.minutes(1)

    /// - Parameter newest: the latest time in the record.
    init(_ place: HostPlace, newest: Timestamp?) {
        configuration = place.configuration
        schedules = place.schedules
        retentionClock = RetentionClock(at: Clock.moment(), newest: newest)
    }

    mutating func willWrite(_ write: RecordWrite) {
        switch write {
        case .output(_, let bytes, _, _): unweighedOutput += bytes.count
        case .runInputs(_, let inputs): unweighedOutput += inputs.count
        default: break
        }
    }

    // MARK: Forgetting

    /// Deletes old and excess rows in this turn.
    ///
    /// - Parameters:
    ///   - isIdle: the turn has nothing to write.
    ///   - runsAdded: the number of runs that it adds.
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

    /// Rows that are too old or too many, of one check.
    mutating func old(in store: any RecordStore, at now: ClockReading) throws(StoreError) -> Forgettable {
        try store.findForgettable(
            endedBefore: retentionClock.time(at: now) - configuration.retentionAge,
            keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
    }

    /// Rows beyond the size limit, one step a turn.
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

    /// Returns unused pages to the file system, one step at a time. Between two turns.
    ///
    /// - Parameter isIdle: neither this turn nor the next has anything else to do.
    mutating func shrink(_ store: any RecordStore, isIdle: Bool, at now: ClockReading) throws(StoreError) {
        // A short-lived host leaves it to the daemon, and to the record's closing.
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
