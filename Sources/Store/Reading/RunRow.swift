import TaskModel

/// How a row of `runs`, joined with its task and set-up, becomes a record.
enum RunRow {
    private typealias C = RunColumn

    static let columns = RunColumn.list

    /// - Throws: `Unreadable` when a column has a value that no version with this schema writes.
    static func read(_ row: borrowing Statement) throws(Unreadable) -> RunRecord {
        guard let id = row.id(C.id), let identifier = row.text(C.identifier), let application = row.text(C.application)
        else {
            throw Unreadable()
        }
        let ended = row.optionalInteger(C.ended).map(Timestamp.init(nanoseconds:))
        let events = unsafe row.withBytes(C.events) { bytes in
            unsafe bytes.isEmpty ? [] : ended.flatMap { unsafe EventPacking.unpack(bytes, since: $0) }
        }
        let submitted = Timestamp(nanoseconds: row.integer(C.submitted))
        guard let events,
            let waits = unsafe row.withBytes(C.waited, { unsafe WaitPacking.unpack($0, since: submitted) })
        else {
            throw Unreadable()
        }
        var run = RunRecord(
            id: id, identifier: identifier, application: application, attempt: UInt32(clamping: row.integer(C.attempt)),
            outcome: try value(row, C.outcome, Outcome.self),
            reason: try value(row, C.reason, Reason.self),
            submittedAt: submitted,
            startedAt: row.optionalInteger(C.started).map(Timestamp.init(nanoseconds:)),
            expiredAt: row.optionalInteger(C.expired).map(Timestamp.init(nanoseconds:)), endedAt: ended,
            figures: RunFigures(
                wallTime: row.optionalInteger(C.wall).map(TimeSpan.init(nanoseconds:)),
                // A suspended run in progress has no sum yet.
                frozenTime: ended == nil ? nil : row.optionalInteger(C.frozen).map(TimeSpan.init(nanoseconds:)),
                cpuTime: row.optionalInteger(C.cpu).map(TimeSpan.init(nanoseconds:)),
                peakMemory: row.optionalInteger(C.peak).map { ByteCount(bytes: UInt64(clamping: $0)) },
                memoryAtStart: row.optionalInteger(C.kept).map { ByteCount(bytes: UInt64(clamping: $0)) },
                signal: row.optionalInteger(C.signal).map(Int32.init(clamping:)),
                exitStatus: row.optionalInteger(C.status).map(Int32.init(clamping:)),
                result: try row.result(kindAt: C.resultKind.rawValue, valueAt: C.result.rawValue)),
            degraded: TextList.unpack(row.text(C.degraded) ?? ""),
            diagnostics: TextList.unpack(row.text(C.diagnostics) ?? ""),
            events: events,
            confinement: row.text(C.confinement).flatMap { TextList.unpack($0).first }, waits: waits,
            origin: try value(row, C.origin, RequestOrigin.self))
        run.pauses = try pauses(row.text(C.pauses) ?? "")
        run.kind = try value(row, C.kind, TaskKind.self)
        run.marks = MarksPacking.unpack(
            kinds: row.optionalInteger(C.marks), differences: row.text(C.differences))
        run.lastLine = unsafe row.withBytes(C.lastLine) { bytes in
            unsafe bytes.isEmpty ? nil : LastLines.of(bytes).last
        }
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
        _ row: borrowing Statement, _ column: some RowColumn, _ type: Value.Type
    ) throws(Unreadable) -> Value? {
        guard let number = row.optionalInteger(column) else { return nil }
        guard let raw = UInt8(exactly: number), let value = Value(rawValue: raw) else { throw Unreadable() }
        return value
    }
}

/// Columns of a run, with its task's names and its set-up.
enum RunColumn: Int32, RowColumn {
    /// The end of what a run printed or logged that did not succeed. Output comes in parts, and a part may end within a line: so the
    /// last parts are joined. The host's remarks (4) are not the run's.
    private static let lastBytes = """
        CASE WHEN outcome > 1 THEN (SELECT CAST(group_concat(bytes, '') AS BLOB) FROM (SELECT substr(bytes, -512) AS bytes \
        FROM (SELECT part, bytes FROM output WHERE output.seq = runs.seq AND stream IS NOT 4 ORDER BY part DESC LIMIT 3) \
        ORDER BY part)) END
        """

    case sequence, id, identifier, application, attempt, outcome, reason, submitted, started, expired, ended
    case wall, cpu, peak, signal, status, resultKind, result, degraded, diagnostics, events, confinement
    case waited, origin, kept, frozen, pauses, kind, marks, differences, lastLine

    var sql: String {
        switch self {
        case .sequence: "runs.seq"
        case .id: "ulid"
        case .resultKind: "result_kind"
        case .origin: "runs.origin"
        case .kind: "runs.kind"
        case .marks: "runs.marks"
        case .lastLine: Self.lastBytes
        case .pauses:
            """
            CASE WHEN frozen IS NULL THEN NULL ELSE (SELECT group_concat(start || ':' || ifnull(stop, ''), ' ') \
            FROM pauses WHERE pauses.run = runs.seq) END
            """
        default: String(describing: self)
        }
    }
}
