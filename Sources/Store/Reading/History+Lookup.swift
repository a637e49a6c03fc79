package import Record
package import TaskModel

/// Ids have no index: writing one would cost each run more than all reading ever saves. Their first 48 bits are the time,
/// and runs are recorded in the order of that time, so a run is found by binary search: where the clock was set back (table
/// `disorder`), in each of the resulting parts.
extension History {
    /// The run with this id; nil when there is none.
    package func run(_ id: ULID) throws(StoreError) -> RunRecord? {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return nil }
            return try record(at: sequence)
        }
    }

    /// The run whose id has this prefix, in upper or lower case.
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
        let candidates = try Statement(
            database, "SELECT seq, ulid FROM runs WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq", what: "find a run")
        var matches: [(sequence: Int64, id: ULID)] = []
        for stretch in try stretches() {
            candidates.bind(values: try firstSequence(from: lowest.milliseconds, in: stretch), stretch.upperBound)
            while matches.count < limit, try candidates.next() {
                let id = try readID(candidates, 1)
                if id.milliseconds > highest.milliseconds { break }
                if id >= lowest && id <= highest { matches.append((candidates.integer(0), id)) }
            }
            candidates.reset()
        }
        return matches
    }

    /// The first run that may have been made then or later; `none`: there is no run.
    func firstSequence(from moment: Timestamp, orElse none: Int64) throws(StoreError) -> Int64 {
        let milliseconds = Self.milliseconds(of: moment)
        return try stretches().map { (stretch) throws(StoreError) in
            try firstSequence(from: milliseconds, in: stretch)
        }.min() ?? none
    }

    /// The one after the last run that may have been made before that moment.
    func endSequence(before moment: Timestamp) throws(StoreError) -> Int64 {
        let milliseconds = Self.milliseconds(of: moment)
        let last = try stretches().map { (stretch) throws(StoreError) in
            try firstSequence(from: milliseconds, in: stretch)
        }.max()
        return last.map { $0 + 1 } ?? .max
    }

    /// As ids have it: none is from before 1970.
    private static func milliseconds(of moment: Timestamp) -> UInt64 {
        UInt64(max(0, moment.nanoseconds.flooredDivision(by: 1_000_000).quotient))
    }

    /// Sequences within which ids are in the order of their times: all of them, in as many parts as the clock was set back.
    private func stretches() throws(StoreError) -> [ClosedRange<Int64>] {
        guard var first = try database.integer("SELECT min(seq) FROM runs"), let last = try newest()?.sequence else {
            return []
        }
        // Rows that are not in their order: the file is damaged.
        guard first <= last else { throw unreadable("runs", last) }
        let breaks = try Statement(
            database, "SELECT seq FROM disorder WHERE seq > ?1 AND seq <= ?2 ORDER BY seq", what: "find a run")
        breaks.bind(values: first, last)
        var stretches: [ClosedRange<Int64>] = []
        for next in try breaks.integers() where next > first && next <= last {
            stretches.append(first...next - 1)
            first = next
        }
        return stretches + [first...last]
    }

    /// A sequence such that runs of the stretch before it have ids made before that time, and runs from it on have not.
    private func firstSequence(
        from milliseconds: UInt64, in stretch: ClosedRange<Int64>
    ) throws(StoreError) -> Int64 {
        var (low, high) = (stretch.lowerBound, stretch.upperBound)
        let probe = try Statement(
            database, "SELECT seq, ulid FROM runs WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq LIMIT 1", what: "find a run")
        probe.bind(2, stretch.upperBound)
        while low < high {
            // Their distance may exceed an Int64, in a foreign file.
            let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) / 2)
            probe.bind(1, middle)
            // Deleted runs leave gaps: the first run after the middle represents the gap before it.
            let isEarlier: Bool
            if try probe.next() {
                let (sequence, id) = (probe.integer(0), try readID(probe, 1))
                // A row that is not in its place: the search would go on for ever.
                guard sequence >= middle else { throw unreadable("runs", sequence) }
                isEarlier = id.milliseconds < milliseconds
                if isEarlier { low = min(sequence, stretch.upperBound - 1) + 1 }
            } else {
                isEarlier = false
            }
            probe.reset()
            if !isEarlier { high = middle }
        }
        return low
    }
}
