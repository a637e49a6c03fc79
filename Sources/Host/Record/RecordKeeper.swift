import Engine
import Linux
package import Record
import Scheduling
import Setting
package import TaskModel

/// The record of a host: a turn's writes, and the actions that wait until those are durable. Thread: the loop's.
package final class RecordKeeper {
    package let store: any RecordStore
    /// The reserve for the record when the disk is full.
    let room: RoomMaker
    /// The recorded state of applications when the host started.
    let remembered: [String: ApplicationMemory]
    private var upkeep: Upkeep
    private var names: RecordNames
    /// The writes of this turn.
    private var record = TurnRecord()
    /// Answers to send once this turn is durable.
    private var answers: [() -> Void] = []
    /// Earlier turns that were written and are not durable, oldest first.
    private var late: [LateTurn] = []
    /// The newest turn that was passed to the store.
    private var newest: UInt64 = 0
    /// When it was, by `Clock.monotonic`.
    private var begin: UInt64 = 0
    /// Effects of durable turns are being done.
    var isActing = false
    private let path: String
    /// The latest time in the record before this host opened it; nil: none.
    package let newestAtOpening: Timestamp?
    /// The last run in the record before this host; nil: none.
    package let lastRunAtOpening: ULID?
    /// Runs that the death of the previous host ended, until they are logged.
    private var interrupted: [RunRecord]
    /// Rows that are set aside, the first of them.
    package private(set) var rowFaults: [RowFault] = []
    private static let keptRowFaults = 64
    /// How long turns took to become durable, of late ones those that something waited for.
    package private(set) var commits = Histogram.short

    /// Opens the record, and marks runs of a dead host as interrupted.
    ///
    /// - Parameters:
    ///   - open: opens the store; its second argument finds room on a full disk.
    ///   - say: receives a message about steps that take long.
    init(_ place: HostPlace, open: RecordOpening.Way, say: @escaping (String) -> Void) throws(HostError) {
        path = place.state.databasePath
        let room = RoomMaker(inState: place.state.path, isPatient: place.schedules)
        self.room = room
        store = try open(path, { room.makeRoom() }, say)
        do throws(StoreError) {
            Failpoint.pass(.recoverBefore)
            newestAtOpening = try store.reader.newestMoment()
            lastRunAtOpening = try store.reader.newestRun()
            upkeep = Upkeep(place, newest: newestAtOpening)
            interrupted = try store.unfinishedRuns()
            let recovery = Recovery(
                runs: interrupted, requests: try store.interruptedRequests(), at: Clock.moment().time)
            try store.write(recovery.record)
            remembered = try store.reader.applications()
            names = try RecordNames(from: store.reader)
            Failpoint.pass(.recoverAfter)
        } catch {
            throw .store(error)
        }
    }

    /// Runs that the death of the previous host ended, once.
    package func takeInterrupted() -> [RunRecord] {
        defer { interrupted = [] }
        return interrupted
    }

    /// The past as it was written so far.
    var reader: any RecordReader { store.reader }

    // MARK: A turn

    /// Remembers something with this turn.
    func write(_ write: consuming RecordWrite) {
        upkeep.willWrite(write)
        record.append(write)
    }

    // MARK: Names

    /// The number of an application. Like the next two it writes a new one with this turn.
    func applicationRow(_ identifier: String) throws(StoreError) -> Int64 {
        defer { writeNames() }
        return try names.application(identifier, in: store.reader)
    }

    /// The number of a task.
    func taskRow(_ name: TaskName) throws(StoreError) -> Int64 {
        defer { writeNames() }
        return try names.task(name, in: store.reader)
    }

    /// The number of a setup of runs.
    func setupRow(_ setup: RunSetup) throws(StoreError) -> Int64 {
        defer { writeNames() }
        return try names.setup(setup, in: store.reader)
    }

    /// The number of a task, if it has one; nothing is written.
    func knownTaskRow(_ name: TaskName) throws(StoreError) -> Int64? { try names.knownTask(name, in: store.reader) }

    private func writeNames() {
        for name in names.takeNew() { write(name) }
    }

    /// Deletes tasks without a run or request from the record, but for these.
    func pruneTasks(except held: Set<Int64>) {
        names.forgetTasks(except: held)
        write(.identifiersPruned(except: held))
    }

    /// Runs the closure once this turn is durable.
    func afterCommit(_ answer: @escaping () -> Void) { answers.append(answer) }

    /// Answers with what is known now, once that is durable.
    func tell(_ answer: @escaping () -> Void) {
        // Where no turn is late, answers leave after the turn's commit anyway.
        if isActing || !store.mayBeLate { answer() } else { afterCommit(answer) }
    }

    /// Turns were written that are not durable.
    var isLate: Bool { store.durableTurn < newest }

    /// Whether the turn has no writes, and nothing waits for it.
    var isEmpty: Bool { record.isEmpty && answers.isEmpty }

    /// Makes room for what follows, a little each turn.
    ///
    /// - Parameters:
    ///   - isIdle: the turn has nothing to write.
    ///   - runsAdded: the number of runs that it adds.
    func makeRoom(isIdle: Bool, runsAdded: Int, at now: ClockReading) throws(StoreError) {
        try upkeep.forget(from: store, into: &record, isIdle: isIdle, runsAdded: runsAdded, at: now)
    }

    /// Passes the turn's record to the store, unless the turn has no writes, and nothing waits for it.
    ///
    /// - Parameter hasEffects: there are actions for the time when the turn is durable.
    func commit(turn: UInt64, hasEffects: Bool) throws(StoreError) {
        guard hasEffects || !isEmpty else { return try store.settle() }
        record.turn = turn
        newest = turn
        defer { record.begin(turn: turn) }
        begin = Clock.monotonic()
        try store.write(record)
        try store.settle()
        if late.isEmpty { names.trim() }
        if !isLate { commits.observe(Clock.span(since: begin)) }
        Failpoint.pass(.commitAfter)
    }

    /// Whether the record's pages have checksums.
    package var hasSums: Bool { store.hasSums }

    /// Rows that were found to be set aside since the last call, each once.
    func takeRowFaults() -> [RowFault] {
        let new = store.takeRowFaults().filter { !rowFaults.contains($0) }
        guard !new.isEmpty else { return [] }
        rowFaults += new.prefix(Self.keptRowFaults - rowFaults.count)
        return new
    }

    /// Returns unused pages to the file system.
    ///
    /// - Parameter isIdle: neither this turn nor the next has anything else to do.
    func keepSmall(isIdle: Bool, at now: ClockReading) throws(StoreError) {
        try upkeep.shrink(store, isIdle: isIdle && answers.isEmpty, at: now)
    }

    /// Forgets one turn's worth at the host's end, so that short-lived hosts keep the record bounded, and waits until all is durable.
    func pruneOnce(turn: UInt64, at now: ClockReading) throws(StoreError) {
        let rows = try upkeep.old(in: store, at: now)
        if !rows.isEmpty { record.append(.forgotten(rows)) }
        try commit(turn: turn, hasEffects: false)
        try store.finish()
    }

    /// When to maintain the record without an event.
    func nextDeadline(after now: Instant) -> Instant {
        min(upkeep.nextDeadline(after: now), late.first?.patienceEnd ?? .distantFuture)
    }

    // MARK: What waits for it

    /// Takes the turn's actions for when it is durable, if it is not yet, or if others come before it.
    ///
    /// - Returns: false: it is durable, and its effects may be done.
    func postpones(_ work: [Action], of turn: UInt64, at now: Instant) -> Bool {
        guard !late.isEmpty || store.durableTurn < turn, !answers.isEmpty || work.contains(where: { $0.isEffect })
        else {
            return false
        }
        let end = store.patience.map { now + $0 } ?? .distantFuture
        late.append(LateTurn(turn: turn, work: work, answers: answers, begin: begin, patienceEnd: end))
        answers.removeAll(keepingCapacity: true)
        return true
    }

    /// The oldest of the turns that were late, if it is durable now.
    func takeDurable() -> LateTurn? {
        guard let first = late.first, first.turn <= store.durableTurn else { return nil }
        commits.observe(Clock.span(since: first.begin))
        return late.removeFirst()
    }

    /// Nothing waits for the store.
    var isSettled: Bool { late.isEmpty }

    /// The store has been silent for too long.
    ///
    /// - Throws: `recordIsSilent`.
    func checkPatience(at now: Instant) throws(HostError) {
        if let first = late.first, first.patienceEnd <= now {
            throw .recordIsSilent(path: path, for: store.patience ?? .zero)
        }
    }

    /// Answers the requesters that waited for this turn, which is durable.
    func answer() {
        guard !answers.isEmpty else { return }
        Failpoint.pass(.answerBefore)
        let due = answers
        answers.removeAll(keepingCapacity: true)
        for answer in due { answer() }
        Failpoint.pass(.answerAfter)
    }
}
