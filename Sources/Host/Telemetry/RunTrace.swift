import Engine
import JSON
import Record
import Setting
import TaskModel
import Wire

/// A run as spans of OpenTelemetry: a root from its submission to its end, and its parts below it.
struct RunTrace {
    /// Reports of progress, with their times.
    struct Step {
        var at: Timestamp
        var report: ProgressReport
    }

    let slot: RunSlot
    let context: RunContext
    let identifier: String
    let application: String
    let task: TaskDefinition
    var steps: [Step] = []
    /// The run of the attempt before; nil: this is the first, or it is not known.
    var previous: ULID?

    private var root: TraceIdentity { TraceIdentity(of: slot.id, under: context.trace) }

    /// Each as JSON of OTLP; empty: the run has not ended.
    func spans() -> [[UInt8]] {
        guard let outcome = slot.outcome, let ended = slot.ended else { return [] }
        var parts: [(name: String, from: Timestamp, to: Timestamp)] = context.waits.map {
            ("wait \($0.gate.name)", $0.from, $0.to)
        }
        let started = slot.started?.time
        if let launched = slot.launched { parts.append(("launch", launched, started ?? ended)) }
        if let started {
            parts.append(("run", started, slot.expired ?? ended))
            if let expired = slot.expired { parts.append(("grace", expired, ended)) }
        }
        let begin = parts.reduce(slot.submitted) { min($0, $1.from) }
        var list = [rootSpan(outcome, from: begin, to: ended)]
        for (number, part) in parts.enumerated() {
            list.append(
                .object(
                    ids(root.child(UInt64(number + 1))) + [.init("parentSpanId", .string(root.spanText))]
                        + times(part.name, kind: 1, part.from, part.to)))
        }
        return list.map { $0.bytes(.compact) }
    }

    private func rootSpan(_ outcome: Outcome, from begin: Timestamp, to end: Timestamp) -> JSONOutput {
        let parent = context.trace.map { [JSONOutput.Member("parentSpanId", .string($0.spanText))] } ?? []
        var members = ids(root) + parent + times(identifier, kind: 5, begin, end)
        members.append(.init("attributes", .array(attributes(outcome))))
        members.append(.init("events", .array(events(until: end))))
        if let previous {
            let identity = TraceIdentity(of: previous, under: context.trace)
            members.append(.init("links", .array([.object(ids(identity))])))
        }
        let sentence = ([outcome.name, slot.reason?.name].compactMap(\.self) + context.diagnostics.sentences)
            .joined(separator: "; ")
        members.append(
            .init(
                "status",
                outcome == .succeeded
                    ? ["code": 1] : ["code": 2, "message": .string(sentence.cut(toBytes: Self.mostText))]))
        return .object(members)
    }

    private static let mostText = 1024

    private func ids(_ identity: TraceIdentity) -> [JSONOutput.Member] {
        [.init("traceId", .string(identity.traceText)), .init("spanId", .string(identity.spanText))]
    }

    /// OTLP writes 64-bit numbers as texts.
    private func times(_ name: String, kind: Int64, _ from: Timestamp, _ to: Timestamp) -> [JSONOutput.Member] {
        [
            .init("name", .string(name)), .init("kind", .integer(kind)),
            .init("startTimeUnixNano", .string("\(from.nanoseconds)")),
            .init("endTimeUnixNano", .string("\(max(from, to).nanoseconds)")),
        ]
    }

    private func attributes(_ outcome: Outcome) -> [JSONOutput] {
        var list: [JSONOutput] = []
        func add(_ key: String, _ text: String?) {
            if let text, !text.isEmpty { list.append(OTLP.attribute(key, text)) }
        }
        func add(_ key: String, _ number: Int64?) {
            if let number { list.append(OTLP.attribute(key, number)) }
        }
        add("faas.trigger", context.origin == .schedule ? "timer" : "other")
        add("faas.cron", task.schedule?.calendar?.text)
        add("faas.invocation_id", slot.id.description)
        add("code.function.name", function)
        add("process.pid", context.pid.map { Int64($0) })
        add("process.exit.code", slot.figures.exitStatus.map { Int64($0) })
        add("taskhost.outcome", outcome.name)
        add("taskhost.reason", slot.reason?.name)
        add("taskhost.attempt", Int64(slot.attempt))
        add("taskhost.kind", task.kind.name)
        add("taskhost.application", application)
        add("taskhost.origin", context.origin?.name ?? "forced")
        add("taskhost.degraded", context.degraded.joined(separator: ","))
        add("taskhost.cpu_time_us", slot.figures.cpuTime.map { $0.nanoseconds / 1000 })
        add("taskhost.peak_memory", slot.figures.peakMemory.map { Int64(clamping: $0.bytes) })
        return list
    }

    private var function: String? {
        switch task.handler {
        case .symbol(let name): name
        case .foreign(let function): function.symbol
        case .command(let command): command.words.first
        case .registered, .event: nil
        }
    }

    private func events(until end: Timestamp) -> [JSONOutput] {
        let progress = steps.map { step in
            event(
                "progress", at: step.at,
                [
                    OTLP.attribute("taskhost.progress.completed", step.report.completed),
                    OTLP.attribute("taskhost.progress.total", step.report.total),
                    OTLP.attribute("taskhost.progress.text", step.report.text.cut(toBytes: Self.mostText)),
                ])
        }
        return progress
            + context.diagnostics.sentences.map {
                event("diagnostic", at: end, [OTLP.attribute("message", $0.cut(toBytes: Self.mostText))])
            }
    }

    private func event(_ name: String, at time: Timestamp, _ attributes: [JSONOutput]) -> JSONOutput {
        .object([
            "timeUnixNano": .string("\(time.nanoseconds)"), "name": .string(name), "attributes": .array(attributes),
        ])
    }
}

/// Pieces of OTLP in JSON.
enum OTLP {
    static func attribute(_ key: String, _ text: String) -> JSONOutput {
        .object(["key": .string(key), "value": ["stringValue": .string(text)]])
    }

    static func attribute(_ key: String, _ number: Int64) -> JSONOutput {
        .object(["key": .string(key), "value": ["intValue": .string("\(number)")]])
    }
}
