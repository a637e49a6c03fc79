import TaskModel

/// How a row of `runs`, joined with its task and set-up, becomes a record.
enum RunRow {
    static let columns = """
        runs.seq, ulid, identifier, application, attempt, outcome, reason, submitted, started, expired, ended, wall, cpu, \
        peak, signal, status, result_kind, result, degraded, diagnostics, events, confinement, \
        waited, runs.origin, kept, frozen, \
        CASE WHEN frozen IS NULL THEN NULL ELSE (SELECT group_concat(start || ':' || ifnull(stop, ''), ' ') \
        FROM pauses WHERE pauses.run = runs.seq) END, runs.kind
        """

    /// - Throws: `Unreadable` when a column has a value that no version with this schema writes.
    static func read(_ row: borrowing Statement) throws(Unreadable) -> RunRecord {
        guard let id = row.id(1), let identifier = row.text(2), let application = row.text(3) else {
            throw Unreadable()
        }
        let ended = row.optionalInteger(10).map(Timestamp.init(nanoseconds:))
        let events = unsafe row.withBytes(20) { bytes in
            unsafe bytes.isEmpty ? [] : ended.flatMap { unsafe EventPacking.unpack(bytes, since: $0) }
        }
        let submitted = Timestamp(nanoseconds: row.integer(7))
        guard let events, let waits = unsafe row.withBytes(22, { unsafe WaitPacking.unpack($0, since: submitted) })
        else {
            throw Unreadable()
        }
        var run = RunRecord(
            id: id, identifier: identifier, application: application, attempt: UInt32(clamping: row.integer(4)),
            outcome: try value(row, 5, Outcome.self), reason: try value(row, 6, Reason.self),
            submittedAt: submitted,
            startedAt: row.optionalInteger(8).map(Timestamp.init(nanoseconds:)),
            expiredAt: row.optionalInteger(9).map(Timestamp.init(nanoseconds:)), endedAt: ended,
            figures: RunFigures(
                wallTime: row.optionalInteger(11).map(TimeSpan.init(nanoseconds:)),
                // A suspended run in progress has no sum yet.
                frozenTime: ended == nil ? nil : row.optionalInteger(25).map(TimeSpan.init(nanoseconds:)),
                cpuTime: row.optionalInteger(12).map(TimeSpan.init(nanoseconds:)),
                peakMemory: row.optionalInteger(13).map { ByteCount(bytes: UInt64(clamping: $0)) },
                memoryAtStart: row.optionalInteger(24).map { ByteCount(bytes: UInt64(clamping: $0)) },
                signal: row.optionalInteger(14).map(Int32.init(clamping:)),
                exitStatus: row.optionalInteger(15).map(Int32.init(clamping:)),
                result: try row.result(kindAt: 16, valueAt: 17)),
            degraded: TextList.unpack(row.text(18) ?? ""), diagnostics: TextList.unpack(row.text(19) ?? ""),
            events: events,
            confinement: row.text(21).flatMap { TextList.unpack($0).first }, waits: waits,
            origin: try value(row, 23, RequestOrigin.self))
        run.pauses = try pauses(row.text(26) ?? "")
        run.kind = try value(row, 27, TaskKind.self)
        return run
    }

    /// `start:stop`, in nanoseconds, for each pause; a present one has no stop.
    private static func pauses(_ text: String) throws(Unreadable) -> [RunPause] {
        var pauses: [RunPause] = []
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let from = Int64(parts[0]) else { throw Unreadable() }
            let to = Int64(parts[1])
            guard to != nil || parts[1].isEmpty else { throw Unreadable() }
            pauses.append(
                RunPause(from: Timestamp(nanoseconds: from), to: to.map(Timestamp.init(nanoseconds:))))
        }
        return pauses.sorted { $0.from < $1.from }
    }

    /// The case of a number; nil for NULL.
    static func value<Value: RawRepresentable<UInt8>>(
        _ row: borrowing Statement, _ column: Int32, _ type: Value.Type
    ) throws(Unreadable) -> Value? {
        guard let number = row.optionalInteger(column) else { return nil }
        guard let raw = UInt8(exactly: number), let value = Value(rawValue: raw) else { throw Unreadable() }
        return value
    }
}
