package import Record
package import TaskModel

extension Store {
    /// Finds what may be forgotten: finished runs that ended before `moment`, and those beyond the newest `count`. The
    /// journal, terminations, the log of the device and delivered transfers are cut by the same age and count.
    ///
    /// It reads only the oldest `limit` rows of each kind, and writes nothing. Runs in progress are never among them.
    package func findForgettable(
        endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Forgettable {
        let count = max(0, count)
        var found = Forgettable()
        // Sequences have no gaps among the newest runs, so counting is subtracting.
        found.runs = try find(pruning.findRuns, limit, moment, nextSequence - Int64(clamping: count))
        found.lines = try find(pruning.findLines, limit, moment, Int64(min(count, Self.maximumJournal)))
        found.terminations = try find(
            lifecycle.findTerminations, limit, moment, Int64(min(count, Self.maximumTerminations)))
        found.device = try find(
            pruning.findDevice, limit + ConditionName.ofMachine.count, moment, Int64(clamping: count))
        found.transfers = try find(transfers.find, limit, moment, Int64(clamping: count))
        return found
    }

    /// Forgets these rows, runs with their output. Part of the turn's transaction.
    package func forget(_ rows: Forgettable) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try beginWriting()
        for sequence in rows.runs {
            try put(pruning.forgetOutput, sequence)
            try put(pruning.forgetDropped, sequence)
            try put(lifecycle.forgetPauses, sequence)
            try put(pruning.forgetInputs, sequence)
            try put(pruning.forgetRun, sequence)
        }
        if !rows.runs.isEmpty { try write(pruning.settleDisorder) }
        for sequence in rows.lines {
            pruning.forgetLine.bind(1, sequence)
            guard let bytes = try ask(pruning.forgetLine) else { continue }  // the journal's own bound was faster
            journal.count -= 1
            journal.bytes -= bytes
        }
        for sequence in rows.terminations { try put(lifecycle.forgetTermination, sequence) }
        for sequence in rows.device { try put(pruning.forgetDevice, sequence) }
        try forgetTransfers(rows.transfers)
        for output in rows.output {
            try put(pruning.forgetOutput, output.run)
            // The run itself may have been deleted first, with its output.
            guard pruning.forgetOutput.changes > 0 else { continue }
            try put(statements.addDropped, output.run, output.bytes)
        }
    }

    func find(
        _ statement: borrowing Statement, _ limit: Int, _ moment: Timestamp, _ bound: Int64
    ) throws(StoreError) -> ArraySlice<Int64> {
        statement.bind(values: Int64(max(0, limit)), moment, bound)
        return try statement.integers()[...]
    }

    /// The number of identifiers in the record. Reads an index, not the runs.
    package func identifierCount() throws(StoreError) -> Int {
        Int(try database.integer("SELECT count(*) FROM tasks") ?? 0)
    }

    /// Deletes the identifiers without a run or request. Looks each one up in the index of runs. Part of the turn's
    /// transaction.
    ///
    /// - Parameter held: numbers that the caller still uses.
    /// - Returns: how many were forgotten.
    package func pruneIdentifiers(except held: Set<Int64>) throws(StoreError) -> Int {
        let find = try Statement(database, Self.unusedIdentifiersQuery, what: "forget identifiers")
        let unused = try find.integers().filter { !held.contains($0) }
        guard !unused.isEmpty else { return 0 }
        try beginWriting()
        let forget = try Statement(database, "DELETE FROM tasks WHERE id = ?1", what: "forget identifiers")
        for row in unused { try put(forget, row) }
        return unused.count
    }

    package static let unusedIdentifiersQuery = """
        SELECT id FROM tasks WHERE NOT EXISTS (SELECT 1 FROM runs WHERE task = tasks.id)
        AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.id IN (tasks.id, -tasks.id))
        """
}
