package import JSON
package import TaskModel

extension RunDocument {
    /// The run of a document, with its events and waits when it is a detailed one; nil when it is not a run.
    package static func read(_ document: JSONValue) -> RunRecord? {
        guard let id = document.id("run"), let identifier = document["identifier"]?.string,
            let application = document["application"]?.string, let submittedAt = document.time("submittedAt")
        else { return nil }
        var run = RunRecord(
            id: id, identifier: identifier, application: application, attempt: 1, submittedAt: submittedAt,
            events: document["events"]?.array?.compactMap(event) ?? [],
            confinement: document["confinement"]?.string, waits: document["waits"]?.array?.compactMap(wait) ?? [])
        run.figures.memoryAtStart = document.number("memoryAtStart").map { ByteCount(bytes: $0) }
        for field in RunField.run { field.read(document, &run) }
        return run
    }

    /// nil: of a kind that only another version knows.
    private static func event(_ document: JSONValue) -> RunEvent? {
        guard let at = document.time("at"), let kind = document.word("event", RunEvent.Kind.self) else { return nil }
        switch kind {
        case .expired, .interrupted:
            return RunEvent(kind: kind, at: at, detail: document.word("because", Reason.self)?.rawValue ?? 0)
        case .killed, .ended:
            return RunEvent(kind: kind, at: at, detail: document.word("because", Outcome.self)?.rawValue ?? 0)
        case .submitted, .launched, .started, .completed: return RunEvent(kind: kind, at: at)
        }
    }

    private static func wait(_ document: JSONValue) -> GateWait? {
        guard let gate = document.word("gate", Gate.self), let from = document.time("from"),
            let to = document.time("to")
        else { return nil }
        return GateWait(gate: gate, from: from, to: to)
    }

    /// nil: of a kind that only another version knows.
    static func difference(_ document: JSONValue) -> RunDifference? {
        guard let kind = document.word("is", RunDifference.Kind.self) else { return nil }
        func number(_ key: String) -> Int64? {
            kind == .larger
                ? document.number(key).map { (bytes: UInt64) in Int64(clamping: bytes) }
                : document.span(key)?.nanoseconds
        }
        guard let value = number("value"), let usual = number("usual") else { return nil }
        return RunDifference(kind, value: value, usual: usual)
    }

    static func result(_ value: JSONValue?) -> ResultValue? {
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
