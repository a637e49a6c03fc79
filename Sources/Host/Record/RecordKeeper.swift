import Linux
import Scheduling
import Record
import Store
import TaskModel

/// The record of a host: what a turn must remember, whoever waits for that to be on disk, and what keeps the file small.
/// Thread: the loop's.
package final class RecordKeeper {
    let store: Store
    /// What is kept back for the record when the disk is full.
    let room: RoomMaker
    private let configuration: HostConfiguration
    private let schedules: Bool
    /// Lines of the turn that belong to nobody's tables.
    private var notes: [RecordNote] = []
    /// What has to be sent once the turn's commit is on disk.
    private var answers: [() -> Void] = []
    private var retentionClock: RetentionClock
    private var pace = PruningPace()
    /// Old rows that were found, and are forgotten little by little.
    private var forgettable = Forgettable()
    /// When the file is to be made smaller while nothing else is to be done.
    private var nextShrinking = Instant(nanoseconds: 0)
    /// Output recorded since the file's size was looked at; at the start as much as can be.
    private var unweighedOutput = Int.max / 2
    /// What the record held of applications when the host started.
    let remembered: [String: ApplicationMemory]

    /// Opens the record, and marks what a dead host left as interrupted.
    ///
    /// - Parameter say: hears what takes so long that a person should know.
    init(_ place: HostPlace, say: (String) -> Void) throws(HostError) {
        configuration = place.configuration
        schedules = place.schedules
        let room = RoomMaker(inState: place.state.path, isPatient: place.schedules)
        self.room = room
        store = try RecordOpening.open(place.state.databasePath, makeRoom: { room.makeRoom() }, say)
        do throws(StoreError) {
            Failpoint.pass(.recoverBefore)
            retentionClock = RetentionClock(at: Clock.moment(), newest: try store.reader.newestMoment())
            let start = Clock.moment().time
            let recovery = Recovery(
                runs: try store.unfinishedRuns(), requests: try store.interruptedRequests(), at: start)
            remembered = try store.applications()
            try store.write(recovery.record)
            Failpoint.pass(.recoverAfter)
        } catch {
            throw .store(error)
        }
    }

    // MARK: A turn

    func note(_ line: RecordNote) { notes.append(line) }

    /// Runs the closure once this turn's record is on disk.
    func afterCommit(_ answer: @escaping () -> Void) { answers.append(answer) }

    /// Whether nothing waits for the commit.
    var isEmpty: Bool { notes.isEmpty && answers.isEmpty }

    /// Makes room for the turn's own rows. Call before them: then no run is forgotten that somebody is still to be told of.
    ///
    /// - Parameters:
    ///   - isIdle: the turn has nothing to write.
    ///   - runsAdded: it adds so many.
    func makeRoom(isIdle: Bool, runsAdded: Int, at now: Moment) throws(StoreError) {
        try pruneIfDue(isIdle: isIdle, runsAdded: runsAdded, at: now)
        try boundSize(at: now)
    }

    /// Writes the lines that belong to nobody's tables.
    func writeNotes() throws(StoreError) {
        for note in notes {
            switch note {
            case .journal(let kind, let subject, let text, let time):
                try store.journal(kind: kind, subject: subject, text: text, at: time)
            case .device(let values, let time): try store.putDevice(values, at: time)
            case .override(let name, let value): try store.setOverride(name, value)
            case .clearOverrides: try store.clearOverrides()
            }
        }
        notes.removeAll(keepingCapacity: true)
    }

    /// Makes what was written durable.
    func commit() throws(StoreError) {
        Failpoint.pass(.commitBefore)
        try store.commit()
        Failpoint.pass(.commitAfter)
    }

    /// Tells who waited for the commit.
    func answer() {
        guard !answers.isEmpty else { return }
        Failpoint.pass(.answerBefore)
        let due = answers
        answers.removeAll(keepingCapacity: true)
        for answer in due { answer() }
        Failpoint.pass(.answerAfter)
    }

    /// Output was written: the file grows by it.
    func grew(by bytes: Int) { unweighedOutput += bytes }

    /// When it has something to do, though nothing happens.
    func nextDeadline(after now: Instant) -> Instant { min(pace.deadline(after: now), nextShrinking) }

    // MARK: Forgetting old runs, a little at a time

    /// Rows that are looked at together.
    private static let lookedAtOnce = 500

    private func pruneIfDue(isIdle: Bool, runsAdded: Int, at now: Moment) throws(StoreError) {
        guard pace.isDue(at: now.instant) else { return }
        if forgettable.isEmpty {
            forgettable = try store.findForgettable(
                endedBefore: oldest(at: now), keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
            pace.looked(foundAny: !forgettable.isEmpty, at: now.instant)
        }
        let found = forgettable.count
        try store.forget(&forgettable, limit: pace.portion(isIdle: isIdle, runsAdded: runsAdded))
        if forgettable.count < found { wantSmall(at: now) }
    }

    /// Forgets one turn's worth, at the host's end too, so that short-lived hosts keep the record bounded.
    func pruneOnce(at now: Moment) throws(StoreError) {
        _ = try store.prune(
            endedBefore: oldest(at: now), keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
        try store.commit()
    }

    private func oldest(at now: Moment) -> Timestamp { retentionClock.time(at: now) - configuration.retentionAge }

    // MARK: A small file

    /// Output after which its size is looked at again.
    private static let outputBetweenLooks = 16 << 20
    /// Between two steps of giving space back, and until the first.
    private static let shrinkingPause = TimeSpan.milliseconds(20)
    /// Until the log is looked at again that somebody reads from.
    private static let readersPause = TimeSpan.minutes(1)

    /// Throws away what is beyond the bound, one step a turn. Part of the turn's transaction.
    private func boundSize(at now: Moment) throws(StoreError) {
        guard unweighedOutput >= min(Self.outputBetweenLooks, Int(configuration.retentionSize.bytes / 16)) else {
            return
        }
        if try store.prune(beyond: configuration.retentionSize) { return wantSmall(at: now) }
        unweighedOutput = 0
        wantSmall(at: now)
    }

    /// Something was thrown away.
    private func wantSmall(at now: Moment) {
        if nextShrinking == .distantFuture { nextShrinking = now.instant + Self.shrinkingPause }
    }

    /// Gives what is not used back to the file system, one step at a time. Between two transactions.
    ///
    /// - Parameter isIdle: the turn has nothing else to do, and neither has the next one.
    func keepSmall(isIdle: Bool, at now: Moment) throws(StoreError) {
        // A short-lived host leaves it to the daemon, and to the end of the record.
        guard schedules else { return nextShrinking = .distantFuture }
        if store.isLogLong { wantSmall(at: now) }
        guard nextShrinking <= now.instant else { return }
        guard isIdle, answers.isEmpty else { return nextShrinking = now.instant + Self.shrinkingPause }
        nextShrinking =
            switch try store.shrink() {
            case .done: .distantFuture
            case .unfinished: now.instant + Self.shrinkingPause
            case .heldUp: now.instant + Self.readersPause
            }
    }
}
