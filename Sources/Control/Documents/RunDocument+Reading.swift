package import JSON
package import TaskModel

extension RunDocument {
    /// The run of a document, with its events and waits when it is a detailed one; nil when it is not a run.
    package static func read(_ document: JSONValue) -> RunRecord? {
        func time(_ key: String) -> Timestamp? { document[key]?.string.flatMap { Timestamp(iso8601: $0) } }
        func span(_ key: String) -> TimeSpan? {
            // A limit of a hundred years: a longer time than an Int64 of nanoseconds would trap.
            document[key]?.double.map { TimeSpan(nanoseconds: Int64((min(max($0, 0), 3e9) * 1e9).rounded())) }
        }
        func texts(_ key: String) -> [String] { document[key]?.array?.compactMap(\.string) ?? [] }
        func number<Number: FixedWidthInteger>(_ key: String, _: Number.Type) -> Number? {
            document[key]?.integer.flatMap { Number(exactly: $0) }
        }
        guard let id = document["run"]?.string.flatMap({ ULID($0) }), let identifier = document["identifier"]?.string,
            let application = document["application"]?.string, let submittedAt = time("submittedAt")
        else { return nil }
        var run = RunRecord(
            id: id, identifier: identifier, application: application, attempt: number("attempt", UInt32.self) ?? 1,
            outcome: document["outcome"]?.string.flatMap { Outcome(name: $0) },
            reason: document["reason"]?.string.flatMap { name in Reason.allCases.first { $0.name == name } },
            submittedAt: submittedAt, startedAt: time("startedAt"), expiredAt: time("expiredAt"),
            endedAt: time("endedAt"),
            figures: RunFigures(
                wallTime: span("wallTime"), frozenTime: span("frozenTime"), cpuTime: span("cpuTime"),
                peakMemory: number("peakMemory", UInt64.self).map { ByteCount(bytes: $0) },
                memoryAtStart: number("memoryAtStart", UInt64.self).map { ByteCount(bytes: $0) },
                signal: number("signal", Int32.self), exitStatus: number("exitStatus", Int32.self),
                result: result(document["result"])),
            degraded: texts("degraded"), diagnostics: texts("diagnostics"),
            events: document["events"]?.array?.compactMap(event) ?? [],
            confinement: document["confinement"]?.string, waits: document["waits"]?.array?.compactMap(wait) ?? [])
        run.gate = document["gate"]?.string.flatMap(gate)
        run.pauses = document["pauses"]?.array?.compactMap(pause) ?? []
        return run
    }

    private static func pause(_ document: JSONValue) -> RunPause? {
        guard let from = document["from"]?.string.flatMap({ Timestamp(iso8601: $0) }) else { return nil }
        return RunPause(from: from, to: document["to"]?.string.flatMap { Timestamp(iso8601: $0) })
    }

    /// nil: of a kind that only another version knows.
    private static func event(_ document: JSONValue) -> RunEvent? {
        guard let name = document["event"]?.string, let at = document["at"]?.string.flatMap({ Timestamp(iso8601: $0) }),
            let kind = RunEvent.Kind.allCases.first(where: { $0.name == name })
        else { return nil }
        let cause = document["because"]?.string
        let reason = Reason.allCases.first { $0.name == cause }?.rawValue
        let outcome = cause.flatMap { Outcome(name: $0) }?.rawValue
        switch kind {
        case .expired, .interrupted: return RunEvent(kind: kind, at: at, detail: reason ?? 0)
        case .killed, .ended: return RunEvent(kind: kind, at: at, detail: outcome ?? 0)
        case .submitted, .launched, .started, .completed: return RunEvent(kind: kind, at: at)
        }
    }

    private static func gate(_ name: String) -> Gate? { Gate.allCases.first { $0.name == name } }

    private static func wait(_ document: JSONValue) -> GateWait? {
        guard let gate = document["gate"]?.string.flatMap(gate),
            let from = document["from"]?.string.flatMap({ Timestamp(iso8601: $0) }),
            let to = document["to"]?.string.flatMap({ Timestamp(iso8601: $0) })
        else { return nil }
        return GateWait(gate: gate, from: from, to: to)
    }

    private static func result(_ value: JSONValue?) -> ResultValue? {
        switch value?.content {
        case .bool(let truth): .boolean(truth)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .double(let number): .real(number)
        case .string("pointer"): .pointer(isNull: false)
        case .string(let text): FetchResult(name: text).map { .fetch($0) } ?? Double(text).map { .real($0) }
        case nil, .null, .array, .object: nil
        }
    }
}
