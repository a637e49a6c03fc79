package import TaskModel

extension Store {
    /// Forgets finished runs with their output: those that ended before `moment`, and those beyond the newest `count`. The
    /// journal and the log of the device are cut by the same age and count.
    ///
    /// It looks at the oldest `limit` rows of each only, so that a turn stays short, and is part of the turn's transaction.
    /// Call it again in a later turn as long as it returns more than 0. Unfinished runs are never forgotten, and do not count
    /// in the limit: however many they are, those behind them are reached.
    ///
    /// - Returns: how many runs, lines and log entries were forgotten.
    package func prune(endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int = 500) throws(StoreError)
        -> Int
    {
        let lines = try pruneLines(before: moment, keepingNewest: count, limit: limit)
        return try lines + pruneRuns(endedBefore: moment, keepingNewest: count, limit: limit)
    }

    /// How many identifiers the record knows. A look at an index, not at the runs.
    package func identifierCount() throws(StoreError) -> Int {
        Int(try database.integer("SELECT count(*) FROM tasks") ?? 0)
    }

    /// Forgets the identifiers that no run and no request names any more. Looks each one up in the index
    /// of runs. Part of the turn's transaction.
    ///
    /// - Parameter held: numbers from `taskRow` that the caller still has; others must be asked for anew.
    /// - Returns: how many were forgotten.
    package func pruneIdentifiers(except held: Set<Int64>) throws(StoreError) -> Int {
        let find = try Statement(database, Self.unusedIdentifiersQuery, what: "forget identifiers")
        var unused: [Int64] = []
        while try find.next() {
            let row = find.integer(0)
            if !held.contains(row) { unused.append(row) }
        }
        guard !unused.isEmpty else { return 0 }
        try beginWriting()
        let forget = try Statement(database, "DELETE FROM tasks WHERE id = ?1", what: "forget identifiers")
        for row in unused {
            forget.bind(1, row)
            try write(forget)
        }
        taskRows.removeAll()
        return unused.count
    }

    package static let unusedIdentifiersQuery = """
        SELECT id FROM tasks WHERE NOT EXISTS (SELECT 1 FROM runs WHERE task = tasks.id)
        AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.id IN (tasks.id, -tasks.id))
        """

    private func pruneRuns(endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int) throws(StoreError)
        -> Int
    {
        let forgettable = try prunable(endedBefore: moment, keepingNewest: count, limit: limit)
        guard !forgettable.isEmpty else { return 0 }
        try beginWriting()
        for table in ["output", "output_dropped", "runs"] {
            let forget = try Statement(database, "DELETE FROM \(table) WHERE seq = ?1", what: "forget old runs")
            for sequence in forgettable {
                forget.bind(1, sequence)
                try write(forget)
            }
        }
        // Two runs are out of order; without the earlier one the rest is in order again.
        let settle = try Statement(
            database, "DELETE FROM disorder WHERE seq <= coalesce((SELECT min(seq) FROM runs), seq)",
            what: "forget old runs")
        try write(settle)
        return forgettable.count
    }

    private func prunable(endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int) throws(StoreError)
        -> [Int64]
    {
        let find = try Statement(
            database,
            """
            SELECT seq FROM (SELECT seq, ended FROM runs WHERE outcome IS NOT NULL ORDER BY seq LIMIT ?1)
            WHERE ended < ?2 OR seq < ?3
            """, what: "forget old runs")
        find.bind(1, Int64(max(0, limit)))
        find.bind(2, moment.nanoseconds)
        // Sequences have no gaps among the newest runs, so counting is subtracting.
        find.bind(3, nextSequence - Int64(clamping: max(0, count)))
        var sequences: [Int64] = []
        while try find.next() { sequences.append(find.integer(0)) }
        return sequences
    }
}
