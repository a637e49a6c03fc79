package import TaskModel

extension Store {
    /// Adds a line to the journal. Subject and text beyond `JournalEntry.maximumText` bytes are cut off. `prune` forgets old
    /// lines.
    package func journal(kind: JournalKind, subject: String, text: String, at moment: Timestamp) throws(StoreError) {
        try beginWriting()
        world.addEntry.bind(1, moment.nanoseconds)
        world.addEntry.bind(2, Int64(kind.rawValue))
        world.addEntry.bind(3, bounded: subject, JournalEntry.maximumText, emptyIsNull: false)
        world.addEntry.bind(4, bounded: text, JournalEntry.maximumText, emptyIsNull: false)
        try write(world.addEntry)
    }
}

extension History {
    /// The newest lines of the journal, newest first.
    ///
    /// - Parameters:
    ///   - moment: only lines from then on; nil: any.
    ///   - limit: how many at most; clamped to `maximumCount`.
    package func journal(since moment: Timestamp? = nil, limit: Int) throws(StoreError) -> [JournalEntry] {
        let row = try Statement(
            database,
            """
            SELECT seq, at, kind, subject, text FROM journal WHERE ?1 IS NULL OR at >= ?1 ORDER BY seq DESC LIMIT ?2
            """, what: "read the journal")
        row.bind(1, moment?.nanoseconds)
        row.bind(2, Int64(min(max(0, limit), Self.maximumCount)))
        var entries: [JournalEntry] = []
        while try row.next() {
            guard let kind = UInt8(exactly: row.integer(2)).flatMap(JournalKind.init(rawValue:)) else {
                throw unreadable("journal", row.integer(0))
            }
            entries.append(
                JournalEntry(
                    at: Timestamp(nanoseconds: row.integer(1)), kind: kind, subject: row.text(3) ?? "",
                    text: row.text(4) ?? ""))
        }
        return entries
    }
}
