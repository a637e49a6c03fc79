package import Record
package import TaskModel

/// The durable record of runs: the host's one writer of the file.
///
/// All writes of one turn of the loop belong to one transaction, which opens at the first write. Only when `commit` has
/// returned may the turn act. After any thrown error the store accepts no more writes: the host stops, and finds the last
/// successful commit at its next start. A write that one row contradicts is no such error: `write` leaves it out.
///
/// Thread: its creator's. `history` can read uncommitted data; the host reads between turns.
@safe package final class Store {
    /// For `history` and for tests.
    package let database: Database
    /// The past, read through this store's connection.
    package let history: History
    package let host: HostID
    let statements: WriteStatements
    let requests: RequestStatements
    let world: WorldStatements
    let lifecycle: LifecycleStatements
    let transfers: TransferStatements
    let pruning: PruneStatements
    /// nil: the host has had nothing to do with a fleet.
    var fleet: FleetStatements?
    /// Identities with a running row, so that a submission searches for one only if there is one.
    var runningRequests: Set<Int64> = []
    /// The newest entry of the device log for each condition that was requested.
    var loggedValues: [ConditionName: String] = [:]
    /// The size of the journal.
    var journal = JournalSize()
    /// Additions to a run name it by its id.
    var places = RunPlaces()
    /// Bytes lent to SQLite while a statement runs: an id, then packed events.
    let scratch: UnsafeMutableRawBufferPointer

    /// One past the highest sequence recorded, starting at 1.
    package internal(set) var nextSequence: Int64
    /// The time of the newest run's admission, and that in its id, for noticing those that do not ascend.
    var newestAdmission: Timestamp
    var newestMilliseconds: UInt64

    /// nil: each turn is durable with its commit.
    let sync: TurnSync?
    /// The newest turn, where there is none.
    var onlyTurn: UInt64 = 0
    /// Called when a turn's writes are made, before they are committed. It may not change the record.
    package var willCommit: (() -> Void)?

    private(set) var isWriting = false
    private(set) var failure: StoreError?
    /// Writes that were left out, until the host takes note.
    private var leftOut: [RowFault] = []
    /// How many damaged pages were told.
    private var toldPages = 0

    private let room: RoomKeeper?
    private let place: DatabasePlace

    /// Opens the file, makes it (mode 0600) if there is none, and brings an older schema forward.
    ///
    /// - Parameters:
    ///   - host: whose runs, requests and sessions are written and taken up; nil: those of the host that made the record.
    ///   - access: `exclusive` for a host: where its disk is slow, syncs overlap with what the loop does meanwhile.
    ///   - overlaps: whether they do so with any disk, for tests; nil: as the disk is.
    ///   - patience: how long to wait for another process's lock; nil: a second.
    ///   - say: receives one sentence before a step that takes seconds.
    ///   - makeRoom: called when the disk is full in the middle of a write; true: there is room now, so try again. It may neither
    ///     use the store nor change the record that is being written. nil: the write fails, and with it the store.
    package init(
        path: String, of host: HostID? = nil, schema: RecordSchema = .current, access: Database.Access = .readWrite,
        overlaps: Bool? = nil, patience: TimeSpan? = nil, say: (String) -> Void = { _ in },
        makeRoom: (() -> Bool)? = nil
    ) throws(StoreError) {
        room = makeRoom.flatMap { _ in RoomKeeper() }
        room?.makeRoom = makeRoom
        let log = access == .exclusive ? try LogSight.refuseDamage(beside: path) : .end
        let database = try Database(path: path, access: access, patience: patience, room: room)
        let version = try database.checkVersion(schema)  // before anything in the file changes
        if version > 0, version < schema.version, let sentence = try database.migrationNotice() { say(sentence) }
        try database.prepareForWriting()
        try database.migrate(to: schema)
        // A log of its own for what comes: others would write over the rest in pieces.
        if log == .rest { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        self.database = database
        let own = try database.number(of: host)
        self.host = own.id
        history = try History(reading: database, as: own.number)
        statements = try WriteStatements.prepared(for: database, of: own.number)
        requests = try RequestStatements.prepared(for: database)
        world = try WorldStatements.prepared(for: database)
        lifecycle = try LifecycleStatements.prepared(for: database)
        transfers = try TransferStatements.prepared(for: database, of: own.number)
        pruning = try PruneStatements.prepared(for: database)
        runningRequests = try history.runningIdentities()
        journal = try history.journalSize()
        let newest = try history.newest()
        place = try DatabasePlace(path)
        sync = access == .exclusive ? try TurnSync(database, overlaps: overlaps) : nil
        let last = newest?.sequence ?? 0
        // No host records this many: the file is damaged or foreign, and its next runs would have no number.
        guard last < Int64.max / 2 else { throw history.unreadable("runs", last) }
        nextSequence = last + 1
        newestAdmission = newest?.admission ?? Timestamp(nanoseconds: .min)
        newestMilliseconds = newest?.id.milliseconds ?? 0
        // Last, because nothing frees it when an initializer throws half-way.
        unsafe scratch = .allocate(byteCount: ULID.byteCount + EventPacking.maximumSize, alignment: 8)
    }

    deinit {
        unsafe scratch.deallocate()
        room?.makeRoom = nil
    }

    // MARK: The turn's transaction

    /// Has the thread call these around each sync that overlaps with later turns.
    package func aroundSync(_ willSync: @escaping @Sendable () -> Void, _ didSync: @escaping @Sendable () -> Void) {
        sync?.set(LogSyncer.Hooks(willSync: willSync, didSync: didSync))
    }

    /// Makes the turn's writes durable. Without any it does nothing and costs no system call.
    ///
    /// - Throws: when the disk refused them: the host has to stop, for the result of a second try is unknown. `displaced` when the
    ///   file is no longer at its path: what was written there nobody will find.
    package func commit() throws(StoreError) {
        guard isWriting else {
            if let failure { throw failure }
            return
        }
        let logChange = place.logChange(least: database.log.leastSize)
        if logChange == .logCut { throw giveUp(.logCut) }
        try write(statements.commit)
        isWriting = false
        if let change = place.fileChange() ?? logChange { throw giveUp(change) }
    }

    /// Refuses every later write, and leaves the files as they serve best: a file that was moved away gets what is in its log, which
    /// would spoil another file of its name, and so does one whose log nobody will find; a log beside an emptied file is all that
    /// is left, and from one that was cut nothing whole can come.
    private func giveUp(_ change: StoreError.Change) -> StoreError {
        let error = StoreError(.displaced(change), what: "go on recording", path: database.path)
        failure = error
        // An error of these changes nothing: the record is given up.
        if change == .emptied || change == .logCut {
            try? database.leaveAsItIs()
        } else {
            try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return error
    }

    /// Opens the turn's transaction before its first write. It takes the write lock at once, so that a turn cannot fail
    /// half-way because another process writes.
    func beginWriting() throws(StoreError) {
        if isWriting { return }
        if let failure { throw failure }
        try write(statements.begin)
        isWriting = true
    }

    /// Writes in the turn's transaction.
    ///
    /// - Parameter values: of the statement's parameters, in their order.
    func put<each Value: StatementValue>(
        _ statement: borrowing Statement, _ values: repeat each Value
    ) throws(StoreError) {
        try beginWriting()
        statement.bind(values: repeat each values)
        try write(statement)
    }

    /// Runs a statement that has been bound.
    func write(_ statement: borrowing Statement) throws(StoreError) {
        do throws(StoreError) {
            try statement.run()
        } catch {
            // SQLite has undone the statement, and kept the transaction.
            throw error.isOfOneRow ? error : abandon(error)
        }
    }

    /// Asks a statement that has been bound for one number within the turn.
    func ask(_ statement: borrowing Statement) throws(StoreError) -> Int64? {
        do throws(StoreError) {
            return try statement.first()
        } catch {
            throw abandon(error)
        }
    }

    /// Rolls the turn back and refuses every later write with the same error.
    func abandon(_ error: StoreError) -> StoreError {
        // SQLite has already rolled back after some errors; saying it again is refused, harmlessly.
        try? database.execute("ROLLBACK")
        isWriting = false
        failure = error
        return error
    }

    /// Abandons the turn because a promise was broken.
    func abandon(_ what: StaticString, because message: String) -> StoreError {
        abandon(StoreError(.broken, what: "\(what)", path: database.path, message: message))
    }

    /// A row contradicts the write, which has changed nothing.
    func contradiction(_ what: StaticString, because message: String) -> StoreError {
        StoreError(.broken, what: "\(what)", path: database.path, message: message)
    }

    /// Notes a write that a row contradicts, and that was left out.
    ///
    /// - Throws: any other error.
    func leaveOut(_ write: RecordWrite, because error: StoreError) throws(StoreError) {
        guard error.isOfOneRow, failure == nil else { throw error }
        leftOut.append(RowFault(write.subject, "cannot \(error.what): \(error.message)"))
    }

    /// Whether the record's pages have checksums, as those of a record have that this version or a later one made.
    package var hasSums: Bool { database.sums?.hasSums ?? false }

    package func takeRowFaults() -> [RowFault] {
        let damage = database.damage
        guard !leftOut.isEmpty || !history.passedOver.isEmpty || damage.count > toldPages else { return [] }
        defer {
            leftOut.removeAll()
            history.passedOver.removeAll()
            toldPages = damage.count
        }
        let pages = damage.sentence(after: toldPages).map { [RowFault(.page, $0)] } ?? []
        return history.passedOver + leftOut + pages
    }
}
