package import TaskModel

extension Store {
    /// The newest run of every task, by identifier, as `History.lastRuns` gives them, but with one look-up for each task: for
    /// the host, whose loop waits meanwhile. Only the first call goes through the whole record.
    package func lastRuns() throws(StoreError) -> [String: RunRecord] {
        let sequences: [Int64: Int64]
        if let known = lastSequences {
            sequences = known
        } else {
            sequences = try history.lastSequences()
            lastSequences = sequences
        }
        let statement = try history.select("WHERE runs.seq = ?1")
        var last: [String: RunRecord] = [:]
        for sequence in sequences.values.sorted() {
            statement.bind(1, sequence)
            if let record = try history.records(of: statement).first?.record { last[record.identifier] = record }
        }
        return last
    }
}

extension History {
    /// The sequence of the newest run by task.
    fileprivate func lastSequences() throws(StoreError) -> [Int64: Int64] {
        let row = try Statement(database, "SELECT task, max(seq) FROM runs GROUP BY task", what: "read runs")
        var sequences: [Int64: Int64] = [:]
        while try row.next() { sequences[row.integer(0)] = row.integer(1) }
        return sequences
    }
}
