package import TaskModel

/// Where the host remembers: the only way by which anything becomes durable.
///
/// A turn's writes are taken whole or not at all, in the order of their turns. The effects of a turn, such as replies, wait
/// until `durableTurn` has reached its number. A store that keeps the record in a file has it durable when `write` returns;
/// a slower one some turns later, and wakes the loop for it.
///
/// After any thrown error the store takes no more writes: the host says the error's one sentence and ends, and finds at its
/// next start what the last durable turn left.
///
/// *Thread*: the one that made it.
package protocol RecordStore: AnyObject {
    // MARK: The turn

    /// Takes a turn's writes. One without any costs nothing, and counts as durable once those before it are.
    ///
    /// - Throws: when they cannot be remembered, or those of an earlier turn could not be.
    func write(_ record: borrowing TurnRecord) throws(StoreError)

    /// The number of the newest turn that is durable with all before it; it never goes back. 0 before the first.
    var durableTurn: UInt64 { get }

    /// Readable (poll(2)) when `settle` has something to do; nil: every turn is durable when `write` returns.
    /// *Lifetime*: the store's.
    var durabilityDescriptor: Int32? { get }

    /// How long a turn may take to become durable before the host gives the record up; nil: a turn never waits.
    var patience: TimeSpan? { get }

    /// Takes in what has become durable since. Call when `durabilityDescriptor` is readable; else it does nothing.
    ///
    /// - Throws: when an earlier turn could not be remembered.
    func settle() throws(StoreError)

    // MARK: Numbers for names

    /// Names got numbers that no turn has taken along yet: the next one is to be written even if it has no writes of its own.
    var hasNewNames: Bool { get }

    /// The number that stands for an application in `RecordWrite.application`. Ask when a manifest is loaded. A new one, as of
    /// the next two, is remembered with the next turn's writes at the latest.
    func applicationRow(_ identifier: String) throws(StoreError) -> Int64

    /// The number that stands for a task in `RunStart` and `TaskRequest`. Ask when a manifest is loaded.
    func taskRow(identifier: String, application: String) throws(StoreError) -> Int64

    /// The same when the record knows the task, else nil; nothing is written.
    func knownTaskRow(identifier: String, application: String) throws(StoreError) -> Int64?

    /// The number that stands for how runs were set up: the confinement that a worker reported (nil: none was launched) and
    /// the limits that could not be enforced. Ask when a worker is ready, not for each run. The texts should be of few
    /// kinds, so without process ids: each kind is kept for ever.
    func setupRow(confinement: String?, degraded: [String]) throws(StoreError) -> Int64

    // MARK: What a dead host left

    /// Runs without an outcome, oldest first; takes time for these alone.
    func unfinishedRuns() throws(StoreError) -> [RunRecord]

    /// Requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    func interruptedRequests() throws(StoreError) -> [TaskRequest]

    // MARK: Upkeep

    /// Finds what may be forgotten: finished runs that ended before `moment`, and those beyond the newest `count`. The
    /// journal, terminations, the log of the device and delivered transfers are cut by the same age and count.
    ///
    /// It looks at the oldest `limit` rows of each only, and writes nothing. Runs that go on are never among them.
    func findForgettable(
        endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Forgettable

    /// Finds what may be thrown away because more than `limit` is in use: the oldest output, and where there is none the oldest
    /// runs and delivered transfers. One step's worth: empty when nothing has to go, or nothing can. Writes nothing.
    func findExcess(beyond limit: ByteCount) throws(StoreError) -> Forgettable

    /// How many identifiers the record knows. Looks at no run.
    func identifierCount() throws(StoreError) -> Int

    /// What is in use.
    func size() throws(StoreError) -> ByteCount

    /// `shrink` has more to do than usual. No system call.
    var isLogLong: Bool { get }

    /// Gives some of what is not used back to the file system, a few milliseconds' worth. Between turns, and when nothing else
    /// is to be done.
    func shrink() throws(StoreError) -> Shrinking

    // MARK: Reading

    /// The past, for the loop between its turns: at least what is durable.
    var reader: any RecordReader { get }
}

/// What became of one step of `RecordStore.shrink`.
package enum Shrinking: Sendable {
    case done
    case unfinished
    /// Somebody reads from the log.
    case heldUp
}
