import JSON
import TaskModel

/// A key of a run's document: what it may hold, how it is written, and how it is read back. `run` is the only list of them.
struct RunField: Sendable {
    let property: Schema.Property
    let json: @Sendable (RunRecord) -> JSONOutput
    /// Sets what the document says; does nothing for a value that only another version knows.
    let read: @Sendable (JSONValue, inout RunRecord) -> Void

    /// - Parameter read: nothing by default, for what `RunRecord` computes, and for what makes it a run at all.
    private init(
        _ key: String, _ schema: Schema, _ meaning: String = "",
        json: @escaping @Sendable (RunRecord) -> JSONOutput,
        read: @escaping @Sendable (JSONValue, inout RunRecord) -> Void = { _, _ in }
    ) {
        property = Schema.Property(key, schema, meaning)
        self.json = json
        self.read = read
    }

    /// A value, or null.
    private static func optional<Value>(
        _ key: String, _ schema: Schema, _ meaning: String, _ part: any WritableKeyPath<RunRecord, Value?> & Sendable,
        json: @escaping @Sendable (Value) -> JSONOutput, read: @escaping @Sendable (JSONValue) -> Value?
    ) -> RunField {
        RunField(
            key, .nullable(schema), meaning, json: { $0[keyPath: part].map(json) ?? .null },
            read: { $1[keyPath: part] = read($0) })
    }

    private static func word<Word: NamedCases & Sendable>(
        _ key: String, _ part: any WritableKeyPath<RunRecord, Word?> & Sendable, _ meaning: String = ""
    ) -> RunField {
        optional(key, Schema.words(Word.self), meaning, part, json: { .string($0.name) }, read: { $0.word(key) })
    }

    private static func time(
        _ key: String, _ part: any WritableKeyPath<RunRecord, Timestamp?> & Sendable, _ meaning: String = ""
    ) -> RunField {
        optional(key, Schema.time, meaning, part, json: { .string($0.iso8601) }, read: { $0.time(key) })
    }

    private static func span(
        _ key: String, _ part: any WritableKeyPath<RunRecord, TimeSpan?> & Sendable, _ meaning: String = "seconds"
    ) -> RunField {
        optional(
            key, Schema.seconds, meaning, part, json: { JSONOutput($0.seconds as Double?) }, read: { $0.span(key) })
    }

    private static func size(
        _ key: String, _ part: any WritableKeyPath<RunRecord, ByteCount?> & Sendable, _ meaning: String = "bytes"
    ) -> RunField {
        optional(
            key, Schema.count, meaning, part, json: { JSONOutput($0.bytes as UInt64?) },
            read: { $0.number(key).map { ByteCount(bytes: $0) } })
    }

    private static func number(
        _ key: String, _ range: ClosedRange<Int64>, _ part: any WritableKeyPath<RunRecord, Int32?> & Sendable
    ) -> RunField {
        optional(key, .integer(range), "", part, json: { JSONOutput($0 as Int32?) }, read: { $0.number(key) })
    }

    /// Sentences.
    private static func texts(
        _ key: String, limit: Int, _ part: any WritableKeyPath<RunRecord, [String]> & Sendable, _ meaning: String = ""
    ) -> RunField {
        RunField(
            key, .array(.string(.prose), limit: limit), meaning,
            json: { .array($0[keyPath: part].map(JSONOutput.string)) },
            read: { $1[keyPath: part] = $0.texts(key) })
    }

    // MARK: The table

    /// In the order of the document.
    static let run: [RunField] = [
        RunField("run", .string(.run), json: { .string($0.id.description) }),
        RunField("identifier", .string(.identifier), json: { .string($0.identifier) }),
        RunField("application", .string(.identifier), json: { .string($0.application) }),
        RunField(
            "attempt", .integer(1...Int64(UInt32.max)), json: { JSONOutput($0.attempt as UInt32?) },
            read: { $1.attempt = $0.number("attempt") ?? 1 }),
        word("outcome", \.outcome, "null while it runs"),
        word("reason", \.reason),
        RunField("submittedAt", Schema.time, json: { .string($0.submittedAt.iso8601) }),
        time("startedAt", \.startedAt), time("expiredAt", \.expiredAt), time("endedAt", \.endedAt),
        span("wallTime", \.figures.wallTime), span("cpuTime", \.figures.cpuTime),
        size("peakMemory", \.figures.peakMemory),
        number("signal", 1...64, \.figures.signal), number("exitStatus", 0...255, \.figures.exitStatus),
        texts("degraded", limit: 64, \.degraded, "limits that could not be enforced"),
        texts("diagnostics", limit: 1024, \.diagnostics),
        RunField(
            "result", .scalar, "what a foreign function returned", json: { RunDocument.result($0.figures.result) },
            read: { $1.figures.result = RunDocument.result($0["result"]) }),
        word("gate", \.gate, "what it waits for before it is launched, without a request"),
        word("origin", \.origin, "who asked; null: it was forced"),
        word("kind", \.kind, "of its task; null: a host of an earlier version ran it"),
        span("frozenTime", \.figures.frozenTime, "seconds that it was suspended, which wallTime does not include"),
        RunField(
            "pauses",
            .array(
                .object([.init("from", Schema.time), .init("to", .nullable(Schema.time), "null: it still does")]),
                limit: RunPause.most),
            "when it stood still, oldest first",
            json: { run in
                .array(
                    run.pauses.map { ["from": .string($0.from.iso8601), "to": JSONOutput($0.to?.iso8601)] })
            },
            read: { document, run in
                run.pauses = (document["pauses"]?.array ?? []).compactMap { pause in
                    pause.time("from").map { RunPause(from: $0, to: pause.time("to")) }
                }
            }),
        optional(
            "lastLine", .string(.prose), "the last that a run printed or logged that did not succeed", \.lastLine,
            json: JSONOutput.string, read: { $0["lastLine"]?.string }),
        RunField(
            "unlikeItself",
            .array(
                .object([
                    .init("is", Schema.words(RunDifference.Kind.self)),
                    .init("figure", .string(.word(["wallTime", "peakMemory", "interval"]))),
                    .init("value", .number, "the run's: seconds, or bytes"),
                    .init("usual", .number, "what nine of ten of its task's last runs did not pass"),
                    .init("text", .string(.prose)),
                ]), limit: RunDifference.Kind.allCases.count), "how it differs from its task's last runs",
            json: { .array($0.marks.differences.map(RunDocument.json)) },
            read: { document, run in
                run.marks.differences = (document["unlikeItself"]?.array ?? []).compactMap(RunDocument.difference)
            }),
        RunField(
            "wroteErrors", .boolean, "it succeeded, and wrote to standard error",
            json: { .bool($0.marks.wroteErrors) },
            read: { $1.marks.wroteErrors = $0["wroteErrors"]?.bool ?? false }),
        RunField("state", Schema.words(RunState.self), "how far it is", json: { .string($0.state.name) }),
        RunField(
            "budget", .nullable(Schema.budget),
            "the one that applies to it; null: the host does not have it in progress",
            json: { $0.standing.map { BudgetDocument.json($0.budget) } ?? .null }),
        RunField(
            "warnsAt", .nullable(Schema.time),
            "when it will be warned; null: it was, it will not be, or it stands still",
            json: { JSONOutput($0.standing?.warnsAt?.iso8601) }),
        RunField(
            "endsAt", .nullable(Schema.time),
            "when its process will be killed; null: likewise, or it has not started",
            json: { JSONOutput($0.standing?.endsAt?.iso8601) }),
    ]
}
