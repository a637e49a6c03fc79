package import TaskModel

/// Where the host remembers: the only way by which anything becomes durable.
///
/// A turn's writes are taken whole or not at all, in the order of their turns. The effects of a turn, such as replies, wait
/// until `durableTurn` has reached its number. A store on a fast disk has it durable when `write` returns; a slower one some
/// turns later, and wakes the loop for it.
///
/// After any thrown error the store accepts no more writes: the host prints the error's sentence and ends, and finds the
/// last durable turn at its next start.
///
/// A record may hold what several hosts wrote: at its start a host takes up its own alone (`host`).
///
/// *Thread*: the one that made it.
package protocol RecordStore: AnyObject {
    // MARK: The turn

    /// Takes a turn's writes. One without any costs nothing, and counts as durable once those before it are.
    ///
    /// - Throws: when they cannot be remembered, or those of an earlier turn could not be.
    func write(_ record: borrowing TurnRecord) throws(StoreError)

    /// Turns may become durable after `write` has returned, at present.
    var mayBeLate: Bool { get }

    /// The number of the newest turn that is durable with all before it; it never goes back. 0 before the first.
    var durableTurn: UInt64 { get }

    /// Readable (poll(2)) when `settle` has something to do; nil: every turn is durable when `write` returns.
    /// *Lifetime*: the store's.
    var durabilityDescriptor: Int32? { get }

    /// How long a turn may take to become durable before the host gives the record up; nil: for ever.
    var patience: TimeSpan? { get }

    /// Notes which turns have become durable. Call it when `durabilityDescriptor` is readable; otherwise it does
    /// nothing.
    ///
    /// - Throws: when an earlier turn could not be remembered.
    func settle() throws(StoreError)

    /// Waits until every turn that was written is durable.
    func finish() throws(StoreError)

    /// Whether the record's pages have checksums, by which a bit that flipped is found.
    var hasSums: Bool { get }

    /// Rows that were set aside since the last call: `write` left out what contradicts them, a reader passed them over.
    func takeRowFaults() -> [RowFault]

    // MARK: What an earlier process of the host left

    /// Whose record this is. What it writes of runs, requests and sessions is its own, and it takes up no other host's.
    var host: HostID { get }

    /// The host's runs without an outcome, oldest first; takes time for these alone.
    func unfinishedRuns() throws(StoreError) -> [RunRecord]

    /// The host's requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    func interruptedRequests() throws(StoreError) -> [TaskRequest]

    /// Ends of the host's claims that its fleet has not acknowledged, in the order of their tokens.
    func untoldEnds() throws(StoreError) -> [UntoldEnd]

    // MARK: Upkeep

    /// Finds what may be forgotten: finished runs that ended before `moment`, and those beyond the newest `count`. The
    /// journal, terminations, the log of the device and delivered transfers are cut by the same age and count.
    ///
    /// It reads only the oldest `limit` rows of each kind, and writes nothing. Runs in progress are never among them.
    func findForgettable(
        endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Forgettable

    /// Finds rows to delete because more than `limit` is in use: the oldest output, and without any the oldest runs and
    /// delivered transfers. One step's worth: empty when nothing has to be deleted, or nothing can. Writes nothing.
    func findExcess(beyond limit: ByteCount) throws(StoreError) -> Forgettable

    /// The number of identifiers in the record. Reads no run.
    func identifierCount() throws(StoreError) -> Int

    /// The size in use.
    func size() throws(StoreError) -> ByteCount

    /// `shrink` has more to do than usual. No system call.
    var isLogLong: Bool { get }

    /// Returns some unused space to the file system, for a few milliseconds. Between turns, when the host is idle.
    func shrink() throws(StoreError) -> Shrinking

    // MARK: Reading

    /// The past, for the loop between its turns: at least the durable part.
    var reader: any RecordReader { get }
}

extension RecordStore {
    package func takeRowFaults() -> [RowFault] { [] }
    package var hasSums: Bool { false }
    package var mayBeLate: Bool { durabilityDescriptor != nil }
    /// Nothing, where each turn is durable when `write` returns.
    package func finish() throws(StoreError) {}
}

/// The result of one step of `RecordStore.shrink`.
package enum Shrinking: Sendable {
    case done
    case unfinished
    /// Another process reads from the log.
    case heldUp
}
