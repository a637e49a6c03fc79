package import JSON
package import TaskModel

extension RunDocument {
    /// The run of a document, with its events and waits when it is a detailed one; nil when it is not a run.
    package static func read(_ document: JSONValue) -> RunRecord? {
        guard let id = document.id("run"), let identifier = document["identifier"]?.string,
            let application = document["application"]?.string, let submittedAt = document.time("submittedAt")
        else { return nil }
        var run = RunRecord(
            id: id, identifier: identifier, application: application, attempt: document.number("attempt") ?? 1,
            outcome: document.word("outcome"), reason: document.word("reason"), submittedAt: submittedAt,
            startedAt: document.time("startedAt"), expiredAt: document.time("expiredAt"),
            endedAt: document.time("endedAt"),
            figures: RunFigures(
                wallTime: document.span("wallTime"), frozenTime: document.span("frozenTime"),
                cpuTime: document.span("cpuTime"),
                peakMemory: document.number("peakMemory").map { ByteCount(bytes: $0) },
                memoryAtStart: document.number("memoryAtStart").map { ByteCount(bytes: $0) },
                signal: document.number("signal"), exitStatus: document.number("exitStatus"),
                result: result(document["result"])),
            degraded: document.texts("degraded"), diagnostics: document.texts("diagnostics"),
            events: document["events"]?.array?.compactMap(event) ?? [],
            confinement: document["confinement"]?.string, waits: document["waits"]?.array?.compactMap(wait) ?? [])
        run.gate = document.word("gate")
        run.origin = document.word("origin")
        run.kind = document.word("kind")
        run.pauses = document["pauses"]?.array?.compactMap(pause) ?? []
        return run
    }

    private static func pause(_ document: JSONValue) -> RunPause? {
        document.time("from").map { RunPause(from: $0, to: document.time("to")) }
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
