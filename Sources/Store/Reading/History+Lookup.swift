package import Record
package import TaskModel

/// Ids have no index: writing one would cost each run more than all reading ever saves. Their first 48 bits are about the time,
/// and runs are recorded in their order, so a run is found by binary search. So it is by the time of its admission. Where the clock
/// was set back (table `disorder`) that time, and in earlier versions the id as well, goes back: each part is searched.
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

    package func run(ofEarlierPlace number: Int64) throws(StoreError) -> ULID? {
        try firstID("WHERE seq >= ?1 ORDER BY seq LIMIT 1", number)
    }

    /// The id of the run at that place.
    func id(at sequence: Int64) throws(StoreError) -> ULID? { try firstID("WHERE seq = ?1", sequence) }

    private func firstID(_ clauses: StaticString, _ sequence: Int64) throws(StoreError) -> ULID? {
        let find = try Statement(database, "SELECT seq, ulid FROM runs \(clauses)", what: "find a run")
        find.bind(1, sequence)
        return try find.next() ? try readID(find, 1) : nil
    }

    /// The sequence of the run; of one that was forgotten, that of the first run after it.
    package func place(of id: ULID) throws(StoreError) -> Int64 {
        if let lastPlace, lastPlace.id == id { return lastPlace.sequence }
        if let sequence = try sequence(of: id) { return sequence }
        let later = try Statement(
            database, "SELECT seq, ulid FROM runs WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq", what: "find a run")
        var place: Int64?
        for stretch in try stretches() {
            later.bind(values: try firstSequence(from: id.milliseconds, in: stretch), stretch.upperBound)
            var end = stretch.upperBound + 1
            while try later.next() {
                guard try readID(later, 1) < id else {
                    end = later.integer(0)
                    break
                }
            }
            later.reset()
            place = max(place ?? end, end)
        }
        return place ?? .max
    }

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

    /// The first run that may have been admitted then or later; `none`: there is no run.
    func firstSequence(from moment: Timestamp, orElse none: Int64) throws(StoreError) -> Int64 {
        try stretches().map { (stretch) throws(StoreError) in
            try firstSequence(admittedFrom: moment, in: stretch)
        }.min() ?? none
    }

    /// The one after the last run that may have been admitted before that moment.
    func endSequence(before moment: Timestamp) throws(StoreError) -> Int64 {
        let last = try stretches().map { (stretch) throws(StoreError) in
            try firstSequence(admittedFrom: moment, in: stretch)
        }.max()
        return last.map { $0 + 1 } ?? .max
    }

    /// Sequences within which runs are in the order of their times: all of them, in as many parts as the clock was set back.
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
        try firstSequence(in: stretch) { (run) throws(StoreError) in try readID(run, 1).milliseconds < milliseconds }
    }

    /// The same for the time of admission.
    private func firstSequence(
        admittedFrom moment: Timestamp, in stretch: ClosedRange<Int64>
    ) throws(StoreError) -> Int64 {
        try firstSequence(in: stretch) { (run) throws(StoreError) in run.integer(2) < moment.nanoseconds }
    }

    private func firstSequence(
        in stretch: ClosedRange<Int64>, isEarlier: (borrowing Statement) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int64 {
        var (low, high) = (stretch.lowerBound, stretch.upperBound)
        let probe = try Statement(
            database, "SELECT seq, ulid, submitted FROM runs WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq LIMIT 1",
            what: "find a run")
        probe.bind(2, stretch.upperBound)
        while low < high {
            // Their distance may exceed an Int64, in a foreign file.
            let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) / 2)
            probe.bind(1, middle)
            // Deleted runs leave gaps: the first run after the middle represents the gap before it.
            var isBefore = false
            if try probe.next() {
                let sequence = probe.integer(0)
                // A row that is not in its place: the search would go on for ever.
                guard sequence >= middle else { throw unreadable("runs", sequence) }
                isBefore = try isEarlier(probe)
                if isBefore { low = min(sequence, stretch.upperBound - 1) + 1 }
            }
            probe.reset()
            if !isBefore { high = middle }
        }
        return low
    }
}
