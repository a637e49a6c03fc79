package import Record
package import TaskModel

/// Ids have no index: writing one would cost each run more than all reading ever saves. Their first 48 bits are the time,
/// and runs are recorded in the order of that time, so a run is found by halving. Where the clock was set back (table
/// `disorder`) every run is looked at instead.
extension History {
    /// The run with this id; nil when there is none.
    package func run(_ id: ULID) throws(StoreError) -> RunRecord? {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return nil }
            return try record(at: sequence)
        }
    }

    /// The run whose id begins with `prefix`, in upper or lower case.
    package func run(matching prefix: String) throws(StoreError) -> RunMatch {
        let missing = 26 - prefix.utf8.count
        guard prefix.utf8.count >= RunMatch.minimumLength, missing >= 0,
            let lowest = ULID(prefix + String(repeating: "0", count: missing)),
            let highest = ULID(prefix + String(repeating: "Z", count: missing))
        else { return .malformed }
        return try database.withSnapshot { () throws(StoreError) in
            let matches = try self.matches(from: lowest, to: highest, limit: RunMatch.maximumCandidates)
            if matches.count > 1 { return .ambiguous(matches.map { $0.id }) }
            guard let match = matches.first, let record = try record(at: match.sequence) else { return .missing }
            return .found(record)
        }
    }

    func sequence(of id: ULID) throws(StoreError) -> Int64? { try matches(from: id, to: id, limit: 1).first?.sequence }

    private func record(at sequence: Int64) throws(StoreError) -> RunRecord? {
        let statement = try select("WHERE runs.seq = ?1")
        statement.bind(1, sequence)
        return try records(of: statement).first?.record
    }

    /// Runs with an id of that range, by sequence.
    private func matches(from lowest: ULID, to highest: ULID, limit: Int) throws(StoreError) -> [(
        sequence: Int64, id: ULID
    )] {
        let isOrdered = try database.integer("SELECT 1 FROM disorder LIMIT 1") == nil
        let candidates = try Statement(
            database, "SELECT seq, ulid FROM runs WHERE seq >= ?1 ORDER BY seq", what: "find a run")
        candidates.bind(1, isOrdered ? try firstSequence(from: lowest.milliseconds) : Int64.min)
        var matches: [(sequence: Int64, id: ULID)] = []
        while matches.count < limit, try candidates.next() {
            let id = try readID(candidates, 1)
            if isOrdered && id.milliseconds > highest.milliseconds { break }
            if id >= lowest && id <= highest { matches.append((candidates.integer(0), id)) }
        }
        return matches
    }

    /// A sequence such that runs before it have ids made before that time, and runs from it on have not.
    private func firstSequence(from milliseconds: UInt64) throws(StoreError) -> Int64 {
        guard var low = try database.integer("SELECT min(seq) FROM runs"), let last = try newest()?.sequence else {
            return 0
        }
        var high = last.addingWithSaturation(1)
        let probe = try Statement(
            database, "SELECT seq, ulid FROM runs WHERE seq >= ?1 ORDER BY seq LIMIT 1", what: "find a run")
        while low < high {
            // Their distance may be more than an Int64 holds, in a file that is not ours.
            let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) / 2)
            probe.bind(1, middle)
            // Forgotten runs leave gaps: the first run from the middle on speaks for the gap before it.
            guard try probe.next() else { return high }
            let (sequence, id) = (probe.integer(0), try readID(probe, 1))
            probe.reset()
            if id.milliseconds < milliseconds { low = sequence.addingWithSaturation(1) } else { high = middle }
        }
        return low
    }
}
