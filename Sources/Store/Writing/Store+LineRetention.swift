import TaskModel

// The journal and the log of the device are kept as long as runs are.
extension Store {
    /// The journal never has more lines, however many runs are kept: a line may have two KiB, and clients cause it.
    package static let maximumJournal = 20_000

    func pruneLines(before moment: Timestamp, keepingNewest count: Int, limit: Int) throws(StoreError) -> Int {
        let count = max(0, count)
        let journal = try prune(
            """
            SELECT seq FROM (SELECT seq, at FROM journal ORDER BY seq LIMIT ?1)
            WHERE at < ?2 OR seq <= (SELECT max(seq) FROM journal) - ?3
            """, from: "journal", before: moment, keepingNewest: min(count, Self.maximumJournal), limit: limit)
        // The last of what is forgotten of each condition stays: it is what held when the rest of the log begins.
        let device = try prune(
            """
            WITH newest AS (SELECT max(seq) AS seq FROM device_log)
            SELECT old.seq FROM (SELECT seq, at, condition FROM device_log ORDER BY seq LIMIT ?1) AS old, newest
            WHERE (old.at < ?2 OR old.seq <= newest.seq - ?3) AND EXISTS (SELECT 1 FROM device_log AS later
                WHERE later.condition = old.condition AND later.seq > old.seq
                AND (later.at < ?2 OR later.seq <= newest.seq - ?3))
            """, from: "device_log", before: moment, keepingNewest: count, limit: limit + ConditionName.allCases.count)
        return journal + device
    }

    /// Removes the rows that `choice` chooses; without any nothing is written.
    private func prune(
        _ choice: String, from table: StaticString, before moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Int {
        let find = try Statement(database, choice, what: "forget old lines")
        find.bind(1, Int64(max(0, limit)))
        find.bind(2, moment.nanoseconds)
        find.bind(3, Int64(clamping: count))
        var rows: [Int64] = []
        while try find.next() { rows.append(find.integer(0)) }
        guard !rows.isEmpty else { return 0 }
        try beginWriting()
        let forget = try Statement(database, "DELETE FROM \(table) WHERE seq = ?1", what: "forget old lines")
        for row in rows {
            forget.bind(1, row)
            try write(forget)
        }
        return rows.count
    }
}
