// The documents about many runs, and about what changed.
extension Schema {
    static let usage = Schema.object([
        Property("since", time, "of the admission of runs"),
        Property(
            "tasks",
            .array(
                .object([
                    Property("identifier", .string(.identifier)), Property("application", .string(.identifier)),
                    Property("runs", count, "that have ended"), Property("failures", count, "of these"),
                    Property("wallTime", seconds, "of all, in seconds"),
                    Property("cpuTime", seconds, "of all, in seconds"),
                    Property("peakMemory", .nullable(count), "of the largest, in bytes"),
                ]), limit: 1_000_000), "the one that used most processor time first"),
    ]).named("Usage")

    static let changes = Schema.object([
        Property("since", time),
        Property(
            "outcomes",
            .array(
                .object([
                    Property("identifier", .string(.identifier)), Property("application", .string(.identifier)),
                    Property("before", .nullable(outcome), "of its last run before; null: it had none"),
                    Property("now", outcome, "of its newest run"), Property("run", .string(.run), "the newest one"),
                    Property("at", .nullable(time), "when that ended"),
                    Property(
                        "lastLine", .nullable(Schema.string(.prose)), "the last that it printed, unless it succeeded"),
                ]), limit: 1_000_000), "failures first, then the newest"),
        Property(
            "definitions",
            .array(
                .object([
                    Property("path", Schema.string(.prose), "of the manifest"),
                    Property("application", .nullable(Schema.string(.prose)), "null: the text says none"),
                    Property("at", time, "when the host found it so"),
                    Property("change", .string(.word(["added", "changed", "removed"]))),
                    Property(
                        "keys", .array(Schema.string(.prose), limit: 64), "that differ; empty when a text is not known"),
                ]), limit: 1000), "the last to change first"),
    ]).named("Changes")
}
