package import TaskModel

/// The past, for reading: by the host between its turns, or by a verb while no host has the record.
///
/// *Thread*: the one that made it. No list has more than `RecordLimits.rows` rows. A row that no version writes is `unreadable` in a
/// page; asked for by itself, and among requests and what a host starts with, it is thrown as `corrupt`.
package protocol RecordReader {
    // MARK: Runs

    /// The run with this id; nil when there is none.
    func run(_ id: ULID) throws(StoreError) -> RunRecord?

    /// The run whose id begins with `prefix`, in upper or lower case.
    func run(matching prefix: String) throws(StoreError) -> RunMatch

    /// Runs recorded before one, newest first. A page may have fewer than `limit` runs, or none, and still not be the last.
    ///
    /// - Parameter before: `next` of the page before, or any run's id; nil: from the newest on. That run may be forgotten.
    func runs(matching filter: RunFilter, before: ULID?, limit: Int) throws(StoreError) -> RunPage

    /// The run that a number stands for which an earlier version gave as `next`; nil: pages from there have every run.
    func run(ofEarlierPlace number: Int64) throws(StoreError) -> ULID?

    /// The kept output of a run, and the number of dropped bytes; empty for an unknown run.
    func output(of id: ULID) throws(StoreError) -> (bytes: [UInt8], dropped: UInt64)

    /// A run's kept output from a place on: whole parts, the first of which may begin before it. Empty for an unknown run.
    ///
    /// - Parameter most: the number of bytes after which there is no further part.
    func log(of id: ULID, from place: LogPlace, most: Int) throws(StoreError) -> [LogPart]

    /// The sizes of a run's kept and dropped output; 0 for an unknown run.
    func outputSize(of id: ULID) throws(StoreError) -> (kept: Int, dropped: UInt64)

    /// What the run's handler got; nothing for an unknown run, and for one of which nothing is known (`RunRecord.kind`).
    func inputs(of id: ULID) throws(StoreError) -> RunInputs

    /// The time of the newest run's admission, or of the newest line of the journal, whichever is later; nil: there are none.
    func newestMoment() throws(StoreError) -> Timestamp?

    // MARK: Names

    /// The highest number of each kind of name; 0: there is none.
    func highestNames() throws(StoreError) -> NameNumbers

    /// The number of an application; nil: it has none.
    func applicationRow(_ identifier: String) throws(StoreError) -> Int64?

    /// The number of a task of this host; nil: it has none.
    func taskRow(_ name: TaskName) throws(StoreError) -> Int64?

    /// The number of a setup of runs; nil: it has none.
    func setupRow(_ setup: RunSetup) throws(StoreError) -> Int64?

    // MARK: Tasks

    /// The rows of a name: of tasks with that identifier, or else of the application of that name.
    func taskRows(named name: String) throws(StoreError) -> Set<Int64>

    /// Rows of the tasks that the application has or had.
    func taskRows(ofApplication application: String) throws(StoreError) -> Set<Int64>

    /// Rows of the tasks whose identifier, or whose application's, contains the text, in upper or lower case.
    func taskRows(containing text: String) throws(StoreError) -> Set<Int64>

    /// Identifiers of recorded tasks, in their order, from the one after `identifier` on.
    func identifiers(after identifier: String?, limit: Int) throws(StoreError) -> [String]

    /// The newest run of the tasks of that identifier, whichever application had them; nil when there is none.
    func lastRun(of identifier: String) throws(StoreError) -> RunRecord?

    /// Whether there is a run of any task that the application has or had.
    func hasRuns(ofApplication application: String) throws(StoreError) -> Bool

    /// The median of how long a task's newest runs took; nil when none has ended.
    func medianLength(of identifier: String) throws(StoreError) -> TimeSpan?

    /// The files that the task waited for, as they were when its last successful run began; empty: nothing is remembered, or
    /// nothing that can be read.
    func fileMarks(task: Int64) throws(StoreError) -> Set<FileMark>

    /// The last time of the task's schedule for which the fleet has a request; nil: none has been shared.
    func sharedTime(task: Int64) throws(StoreError) -> Timestamp?

    // MARK: Measuring

    /// The runs that fit the filter, newest first, of the next `most` rows of the record.
    ///
    /// - Parameter before: `next` of the portion before, or a run's place; nil: from the newest on.
    func measuredRuns(
        matching filter: RunFilter, before: Int64?, most: Int
    ) throws(StoreError) -> (runs: [MeasuredRun], next: Int64?)

    /// The task's runs that have ended, newest first, recorded before that place; nil: the newest ones.
    func endedRuns(ofTask task: Int64, before place: Int64?, limit: Int) throws(StoreError) -> [MeasuredRun]

    /// The run of that place, if it has ended.
    func endedRun(at place: Int64) throws(StoreError) -> MeasuredRun?

    /// The runs of these places, in that order; those that were forgotten are left out.
    func runs(at places: some Sequence<Int64>) throws(StoreError) -> RowPage<RunRecord>

    /// The place of a run; of one that was forgotten, that of the first run after it.
    func place(of run: ULID) throws(StoreError) -> Int64

    /// The name of the task of that row; nil: there is none.
    func taskName(row: Int64) throws(StoreError) -> TaskName?

    // MARK: Counting

    /// The newest run; nil: there is none.
    func newestRun() throws(StoreError) -> ULID?

    /// Runs with an outcome, in the order of the record.
    ///
    /// - Parameters:
    ///   - run: only later ones; nil: from the oldest on.
    ///   - newest: the last one that is wanted.
    func endedRuns(after run: ULID?, upTo newest: ULID, limit: Int) throws(StoreError) -> [EndedRun]

    /// The identifier of the task of that row; nil: there is none.
    func taskIdentifier(row: Int64) throws(StoreError) -> String?

    // MARK: Requests and applications

    /// The host's requests: running ones first, then those that wait in the order of their identity. `body` must not write.
    func forEachRequest(_ body: (borrowing TaskRequest) -> Void) throws(StoreError)

    /// Requests of one application, or of all (nil): running ones first.
    func requests(application: String?) throws(StoreError) -> [TaskRequest]

    /// The request of the identity that waits, whole; nil when there is none.
    func waitingRequest(identity: Int64) throws(StoreError) -> TaskRequest?

    /// The stored state of applications, by identifier.
    func applications() throws(StoreError) -> [String: ApplicationMemory]

    // MARK: Transfers

    /// The host's background sessions, in the order of their numbers.
    func sessions() throws(StoreError) -> [StoredSession]

    /// The highest numbers that sessions and transfers ever had.
    func transferNumbers() throws(StoreError) -> TransferNumbers

    /// Every transfer that its application has not taken note of, in the order of their ids. A host's own are those of `sessions`.
    /// `body` must not write.
    func forEachOpenTransfer(_ body: (borrowing BackgroundTransfer) -> Void) throws(StoreError)

    /// The transfer with this id; nil when there is none.
    func transfer(_ id: Int64) throws(StoreError) -> BackgroundTransfer?

    /// Transfers, newest first. A page may have fewer than `limit`, or none, and still not be the last.
    ///
    /// - Parameters:
    ///   - application: of one; nil: of all.
    ///   - isOpen: only those that their application has not taken note of.
    ///   - before: `next` of the page before; nil: from the newest on.
    func transfers(
        application: String?, isOpen: Bool, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<BackgroundTransfer>

    // MARK: The host and its device

    /// Lines of the journal, newest first.
    ///
    /// - Parameter before: `next` of the page before; nil: from the newest on.
    func journal(before: Int64?, limit: Int) throws(StoreError) -> RowPage<JournalEntry>

    /// The ends that the host made of applications' processes, newest first.
    ///
    /// - Parameters:
    ///   - application: of one; nil: of all.
    ///   - before: `next` of the page before; nil: from the newest on.
    func terminations(application: String?, before: Int64?, limit: Int) throws(StoreError) -> RowPage<Termination>

    /// The newest of an application; nil when there is none. A look-up.
    func lastTermination(of application: String) throws(StoreError) -> Termination?

    /// Past values of the conditions, newest first.
    ///
    /// - Parameter before: `next` of the page before; nil: from the newest on.
    func deviceLog(before: Int64?, limit: Int) throws(StoreError) -> RowPage<DeviceLogEntry>

    /// The user's overrides of conditions.
    func overrides() throws(StoreError) -> [ConditionName: String]

    /// The pauses by the user that are in force.
    func pausedWork() throws(StoreError) -> [PausedWork: WorkPause]

    // MARK: Manifests

    /// The mark of each manifest file's newest version; files that are gone have none.
    func manifestMarks() throws(StoreError) -> [String: Int64]

    /// Versions of manifests, newest first.
    ///
    /// - Parameter before: `next` of the page before; nil: from the newest on.
    func manifests(before: Int64?, limit: Int) throws(StoreError) -> RowPage<ManifestVersion>

    /// The file's last version before a moment; nil: there is none.
    func manifest(_ path: String, before moment: Timestamp) throws(StoreError) -> ManifestVersion?

    // MARK: All of it

    /// Begins a copy of the whole record as a file of mode 0600; one that exists is refused.
    func copy(to path: String) throws(StoreError) -> any RecordCopying
}

extension RecordReader {
    /// Transfers, open or not, newest first.
    package func transfers(
        application: String?, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<BackgroundTransfer> {
        try transfers(application: application, isOpen: false, before: before, limit: limit)
    }

    /// Requests of all applications: running ones first.
    package func requests() throws(StoreError) -> [TaskRequest] { try requests(application: nil) }
}
