import CSQLite
package import Record
package import TaskModel

// How large the record is, and how it becomes smaller.
extension Store {
    /// How many runs lose their output in one step, and how many bytes.
    private static let mostRuns = 64
    private static let mostBytes: Int64 = 8 << 20
    /// How many runs are deleted in one step when there is no output.
    private static let mostOldRuns: Int64 = 500
    /// Unused pages that stay in the file for reuse.
    private static let kept: Int64 = 256
    /// Pages released in one step: some milliseconds.
    private static let step = 128

    /// The used size of the file.
    package func size() throws(StoreError) -> ByteCount {
        ByteCount(bytes: UInt64(max(0, try pages() - unusedPages())) * 4096)
    }

    private func pages() throws(StoreError) -> Int64 { try database.integer("PRAGMA page_count") ?? 0 }
    private func unusedPages() throws(StoreError) -> Int64 { try database.integer("PRAGMA freelist_count") ?? 0 }

    /// Finds rows to delete because more than `limit` is in use: the oldest output, and without any the oldest runs and
    /// delivered transfers. Output then counts as dropped. One step's worth; empty: nothing has to be deleted, or nothing
    /// can.
    package func findExcess(beyond limit: ByteCount) throws(StoreError) -> Forgettable {
        let excess = Int64(clamping: try size().bytes) - Int64(clamping: limit.bytes)
        guard excess > 0 else { return Forgettable() }
        var found = Forgettable()
        found.output = try oldestOutput(min(excess, Self.mostBytes))
        guard found.isEmpty else { return found }
        let oldest = try database.integer("SELECT min(seq) FROM runs") ?? nextSequence
        let kept = max(1, nextSequence - oldest - Self.mostOldRuns)
        // Lines have a bound of their own.
        let none = Timestamp(nanoseconds: .min)
        found.runs = try find(pruning.findRuns, Int(Self.mostOldRuns), none, nextSequence - kept)
        found.transfers = try find(transfers.find, Int(Self.mostOldRuns), none, 0)
        return found
    }

    private func oldestOutput(_ excess: Int64) throws(StoreError) -> ArraySlice<Forgettable.Output> {
        let find = try Statement(
            database,
            """
            SELECT output.seq, sum(length(bytes)) FROM output JOIN runs ON runs.seq = output.seq
            WHERE outcome IS NOT NULL GROUP BY output.seq ORDER BY output.seq LIMIT ?1
            """, what: "forget old output")
        find.bind(1, Int64(Self.mostRuns))
        var oldest: ArraySlice<Forgettable.Output> = []
        var sum: Int64 = 0
        while sum < excess, try find.next() {
            oldest.append(Forgettable.Output(run: find.integer(0), bytes: find.integer(1)))
            sum += find.integer(1)
        }
        find.reset()
        return oldest
    }

    /// Returns some unused space to the file system: pages of the file, or the log's length. Between turns, when the host is
    /// idle.
    package func shrink() throws(StoreError) -> Shrinking {
        // A transaction of its own comes when no other waits to be durable.
        guard !isWriting, sync?.isIdle ?? true else { return .unfinished }
        if database.log.isLong {
            guard try cutLog() else { return .heldUp }
        }
        let before = try unusedPages()
        guard before > Self.kept else { return .done }
        guard try givesPagesBack() else { return .done }
        let vacuum = { [database] () throws(StoreError) in
            try database.execute("PRAGMA incremental_vacuum(\(Self.step))", what: "give unused pages back")
        }
        if let sync { try sync.withSync(vacuum) } else { try vacuum() }
        let rest = try unusedPages()
        return rest < before && rest > Self.kept || database.log.isLong ? .unfinished : .done
    }

    /// The log is worth cutting back. No system call.
    package var isLogLong: Bool { database.log.isLong }

    /// A file of an earlier version keeps its length; unused pages in it are reused.
    private func givesPagesBack() throws(StoreError) -> Bool { try database.integer("PRAGMA auto_vacuum") == 2 }

    /// Copies the log into the file and truncates it; false while another process reads from it.
    private func cutLog() throws(StoreError) -> Bool {
        // The loop waits for no reader.
        _ = unsafe sqlite3_busy_timeout(database.handle, 0)
        defer { _ = unsafe sqlite3_busy_timeout(database.handle, 1_000) }
        guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return false }
        database.log.wasCutBack()
        return true
    }
}
