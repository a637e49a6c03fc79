import TaskModel

// What a task is, beside what a list of tasks says of it.
extension Schema {
    private static let prosesAtMost = 4096
    private static func texts(_ meaning: String, _ key: String) -> Property {
        Property(key, .array(prose, limit: prosesAtMost), meaning)
    }
    private static func cases<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> Schema {
        .string(.word(Word.allCases.map(\.rawValue)))
    }

    static let descriptionProperties = [
        Property("version", .nullable(prose), "of the application, as its author calls it"),
        Property("handler", handler, "the code"),
        Property(
            "library",
            .nullable(
                .object([
                    Property("path", prose), Property("sha256", .nullable(.string(.sha256)), "that the manifest pins"),
                    Property("isApplication", .boolean, "it exports taskhost_application_v1"),
                ])), "of the application; null: each handler names its own"),
        Property("schedule", .nullable(schedule)),
        Property("after", .nullable(prose), "the task after whose successful runs it runs"),
        Property("onFailure", .nullable(prose), "the task that runs after an end of answeredEnds"),
        Property("answeredEnds", .array(words(FailureTrigger.self), limit: 3), "what onFailure and webhook answer"),
        Property("onOutput", .nullable(prose), "the task that gets what a run has printed"),
        Property("webhook", .nullable(prose), "what is told then: scheme, host and port of its URL"),
        Property("requires", requires, "with the defaults of its kind"),
        Property(
            "retry",
            .nullable(
                .object([
                    Property("attempts", .integer(1...Int64(UInt32.max)), "tries in all"),
                    Property("backoff", .number, "seconds before the second try"),
                    Property("jitter", .number, "seconds by which a pause is longer at most"),
                ])), "null: a failed run is not tried again"),
        Property("stall", .nullable(.number), "seconds without progress after which a run is warned"),
        texts("keys of budget that the manifest sets; the others come from the kind and the profile", "declared"),
        Property("secrets", .array(prose, limit: 8), "names of what each run is given"),
        Property("profile", prose, "the host's limits profile"),
        Property("settings", prose, "for the handler, as one line of JSON"),
        Property(
            "permissions",
            .object([
                texts("paths", "read"), texts("paths", "write"), texts("host:port", "network"),
                texts("programs and folders", "execute"), texts("Unix sockets", "sockets"),
                texts("rights beyond an ordinary user's", "capabilities"),
                Property("ping", .boolean, "ICMP echo requests to any address"),
                Property("attributes", .boolean, "modes, owners and times of files beyond write"),
            ])),
        Property(
            "learned",
            .nullable(
                .object([
                    Property("at", Schema.time), Property("landlock", .integer(0...255), "the version of that kernel"),
                    Property(
                        "programs",
                        .array(.object([Property("path", prose), Property("sha256", .string(.sha256))]), limit: 256),
                        "as they were then"),
                ])), "its permissions were found by taskhost learn; null: somebody wrote them"),
        Property("group", .nullable(prose), "instead of the user's own"),
        Property("isolation", cases(Isolation.self)),
        Property("enforcement", cases(Enforcement.self)),
        Property("misuse", cases(Misuse.self)), Property("manifest", prose, "its file"),
        Property("gates", .array(gate, limit: 64), "of the pending request, in the order in which they are looked at"),
        texts("of the manifest's file as it is now; the host may still use its earlier form", "faults"),
        Property("usesEarlierForm", .boolean, "the manifest's file cannot be used as it is now"),
    ]

    private static let handler = Schema.object([
        Property("form", .string(.word(["symbol", "function", "command", "registered", "event"]))),
        Property("symbol", .nullable(prose), "of symbol and function"),
        Property("signature", .nullable(prose), "of function"),
        Property("library", .nullable(prose), "of function; null: the application's"),
        Property("command", .nullable(.array(prose, limit: 256)), "the program and its arguments"),
        Property("environment", .nullable(.array(prose, limit: 256)), "its variables, each as NAME=value"),
        Property("environmentFiles", .nullable(.array(prose, limit: 16)), "files with further variables"),
        Property("workingDirectory", .nullable(prose), "where it is started"),
        Property("umask", .nullable(prose), "what new files lack of their modes, in octal digits"),
    ])
    private static let schedule = Schema.object([
        Property("text", prose, "in English"), Property("every", .nullable(.number), "seconds"),
        Property("calendar", .nullable(prose), "five cron fields"),
        Property("boot", .boolean, "once a boot of the machine, instead of both"),
        Property("timeZone", .nullable(prose), "null: the machine's own"), Property("jitter", .number, "seconds"),
        Property("catchUp", cases(CatchUp.self)), Property("overlap", cases(Overlap.self)), Property("payload", prose),
        Property("scope", cases(ScheduleScope.self), "fleet: its times are one for all hosts of the fleet"),
    ])
    private static let requires = Schema.object(
        Condition.all.compactMap { condition in
            condition.requirement.map { form in
                let schema: Schema =
                    switch form.values {
                    case .flag: .boolean
                    case .words(let words): .nullable(.string(.word(words.map(\.word))))
                    case .size: .nullable(.integer(0...Int64.max))
                    case .patterns: .array(prose, limit: 16)
                    }
                return Property(form.key, schema, form.meaning)
            }
        })
}
