package import Record
package import TaskModel

extension Store {
    /// Adds a line to the journal. Subject and text beyond `JournalEntry.maximumText` bytes are cut off. The oldest lines
    /// are deleted when there are more than `maximumJournal`, or more than `maximumJournalBytes`: clients and applications
    /// can cause any number of lines. `prune` deletes old ones.
    package func journal(kind: JournalKind, subject: String, text: String, at moment: Timestamp) throws(StoreError) {
        try put(
            world.addEntry, moment, kind.rawValue, subject.cut(toBytes: JournalEntry.maximumText),
            text.cut(toBytes: JournalEntry.maximumText))
        let size = min(subject.utf8.count, JournalEntry.maximumText) + min(text.utf8.count, JournalEntry.maximumText)
        journal.count += 1
        journal.bytes += Int64(size)
        try boundJournal()
    }

    /// Forgets the oldest lines while there is too much. What an earlier version left takes many turns.
    private func boundJournal() throws(StoreError) {
        var left = Self.linesAtOnce
        while journal.count > Self.maximumJournal || journal.bytes > Self.maximumJournalBytes, left > 0 {
            guard let size = try ask(world.oldestEntry) else { return }
            try write(world.forgetEntry)
            journal.count -= 1
            journal.bytes -= size
            left -= 1
        }
    }

    private static let linesAtOnce = 64

    /// The journal never has more, however many runs are kept.
    package static let maximumJournal = Limit.journalLines.most
    /// Of subjects and texts together.
    package static let maximumJournalBytes = Int64(Limit.journalBytes.most)

    /// The size of the journal.
    struct JournalSize {
        var count = 0
        var bytes: Int64 = 0
    }
}

extension History {
    /// The bytes of a line, in SQL.
    static let journalLineBytes = "length(CAST(subject AS BLOB)) + length(CAST(text AS BLOB))"

    func journalSize() throws(StoreError) -> Store.JournalSize {
        let row = try Statement(
            database, "SELECT count(*), coalesce(sum(\(Self.journalLineBytes)), 0) FROM journal",
            what: "read the journal")
        guard try row.next() else { return Store.JournalSize() }
        return Store.JournalSize(count: Int(row.integer(0)), bytes: row.integer(1))
    }

    /// The newest lines of the journal, newest first.
    ///
    /// - Parameters:
    ///   - moment: only lines from then on; nil: any.
    ///   - limit: how many at most; clamped to `RecordLimits.rows`.
    package func journal(since moment: Timestamp? = nil, limit: Int) throws(StoreError) -> [JournalEntry] {
        let row = try Statement(
            database,
            """
            SELECT \(JournalColumn.list) FROM journal WHERE ?1 IS NULL OR at >= ?1 ORDER BY seq DESC LIMIT ?2
            """, what: "read the journal")
        row.bind(values: moment, Int64(min(max(0, limit), RecordLimits.rows)))
        return try page(of: row, "journal", limit: limit, Self.journalLine).elements
    }

    static func journalLine(_ row: borrowing Statement) throws(Unreadable) -> JournalEntry {
        guard let kind = try RunRow.value(row, JournalColumn.kind, JournalKind.self) else { throw Unreadable() }
        return JournalEntry(
            at: Timestamp(nanoseconds: row.integer(JournalColumn.at)), kind: kind,
            subject: row.text(JournalColumn.subject) ?? "", text: row.text(JournalColumn.text) ?? "")
    }
}

/// Columns of a line of the journal.
enum JournalColumn: Int32, RowColumn {
    case seq, at, kind, subject, text
}
