import TaskModel

/// How a row of `runs`, joined with its task and set-up, becomes a record.
enum RunRow {
    static let columns = """
        runs.seq, ulid, identifier, application, attempt, outcome, reason, submitted, started, expired, ended, wall, cpu, \
        peak, signal, status, result_kind, result, degraded, diagnostics, events, confinement, \
        waited, runs.origin, kept
        """

    /// - Throws: `Unreadable` when a column holds what no version with this schema writes.
    static func read(_ row: borrowing Statement) throws(Unreadable) -> RunRecord {
        guard let id = row.id(1), let identifier = row.text(2), let application = row.text(3) else {
            throw Unreadable()
        }
        let ended = row.optionalInteger(10).map(Timestamp.init(nanoseconds:))
        let events = row.withBytes(20) { bytes in
            bytes.isEmpty ? [] : ended.flatMap { EventPacking.unpack(bytes, since: $0) }
        }
        let submitted = Timestamp(nanoseconds: row.integer(7))
        guard let events, let waits = row.withBytes(22, { WaitPacking.unpack($0, since: submitted) }) else {
            throw Unreadable()
        }
        return RunRecord(
            id: id, identifier: identifier, application: application, attempt: UInt32(clamping: row.integer(4)),
            outcome: try value(row, 5, Outcome.self), reason: try value(row, 6, Reason.self),
            submittedAt: submitted,
            startedAt: row.optionalInteger(8).map(Timestamp.init(nanoseconds:)),
            expiredAt: row.optionalInteger(9).map(Timestamp.init(nanoseconds:)), endedAt: ended,
            wallTime: row.optionalInteger(11).map(TimeSpan.init(nanoseconds:)),
            cpuTime: row.optionalInteger(12).map(TimeSpan.init(nanoseconds:)),
            peakMemory: row.optionalInteger(13).map { ByteCount(bytes: UInt64(clamping: $0)) },
            signal: row.optionalInteger(14).map(Int32.init(clamping:)),
            exitStatus: row.optionalInteger(15).map(Int32.init(clamping:)),
            degraded: TextList.unpack(row.text(18) ?? ""), diagnostics: TextList.unpack(row.text(19) ?? ""),
            result: try row.result(kindAt: 16, valueAt: 17), events: events,
            confinement: row.text(21).flatMap { $0.isEmpty ? nil : $0 }, waits: waits,
            origin: try value(row, 23, RequestOrigin.self),
            memoryAtStart: row.optionalInteger(24).map { ByteCount(bytes: UInt64(clamping: $0)) })
    }

    /// A number that stands for a case; nil for NULL.
    static func value<Value: RawRepresentable<UInt8>>(
        _ row: borrowing Statement, _ column: Int32, _ type: Value.Type
    ) throws(Unreadable) -> Value? {
        guard let number = row.optionalInteger(column) else { return nil }
        guard let raw = UInt8(exactly: number), let value = Value(rawValue: raw) else { throw Unreadable() }
        return value
    }
}
