import TaskModel

// The documents of the API. Keys are never missing: what there is not is null.
extension Schema {
    static func words<Word: CaseIterable>(_: Word.Type) -> Schema {
        .string(.word(Word.allCases.map { String(describing: $0) }))
    }
    static let count = Schema.integer(0...Int64.max)
    static let time = Schema.string(.dateTime)
    static let prose = Schema.string(.prose)
    static let seconds = Schema.number

    static let outcome = words(Outcome.self)
    static let kind = words(TaskKind.self)

    package static let problem = Schema.object([
        Property("type", prose, "urn:taskhost:problem: and the kind, for programs"),
        Property("title", prose, "the kind"), Property("status", .integer(400...599), "the HTTP status"),
        Property("detail", prose, "what; where; what to do"),
        Property("code", .integer(1...4), "BGTaskScheduler.Error.Code of a refused submission", optional: true),
        Property(
            "errors",
            .array(
                .object([
                    Property("path", prose, "$ is the body; query.NAME a parameter"), Property("found", prose),
                    Property("expected", prose), Property("hint", .nullable(prose)),
                ]), limit: 256), "every fault of the request", optional: true),
    ]).named("Problem")

    static let wordTables = Schema.object([
        Property(
            "outcomes",
            .array(
                .object([
                    Property("outcome", outcome), Property("exitStatus", .integer(0...255), "of taskhost run"),
                    Property("isFailure", .boolean, "onFailure answers it, when it is not tried again"),
                    Property("tone", words(OutcomeRow.Tone.self), "how good the news is"),
                    Property("symbol", prose, "of the page"), Property("meaning", prose, "what has happened"),
                ]), limit: 256), "how a run ends"),
        Property(
            "kinds",
            .array(
                .object([
                    Property("kind", kind), Property("isDeclarable", .boolean, "a manifest may name it"),
                    Property("meaning", prose, "what it is for"),
                ]), limit: 256), "of tasks"),
        Property(
            "gates",
            .array(
                .object([
                    Property("gate", words(Gate.self)), Property("symbol", prose, "of the page"),
                    Property("meaning", prose, "when it is open"),
                ]), limit: 256), "in the order in which they are looked at"),
        Property(
            "conditions",
            .array(
                .object([
                    Property("condition", prose), Property("gate", words(Gate.self)),
                    Property("values", .array(prose, limit: 64), "the best first, unknown last"),
                    Property("meaning", prose, "when its gate is open"),
                ]), limit: 64), "of the machine"),
        Property("applicationStates", .array(words(ApplicationState.self), limit: 16)),
        Property(
            "transferStates",
            .array(
                .object([
                    Property("state", words(TransferState.self)), Property("isOpen", .boolean, "it is not over"),
                ]), limit: 16)),
        Property(
            "signals",
            .array(
                .object([Property("signal", .integer(1...64)), Property("name", .nullable(prose))]), limit: 64),
            "of the machine"),
    ]).named("Words")

    static let host = Schema.object([
        Property("version", prose, "of the program"), Property("pid", .integer(0...Int64(Int32.max))),
        Property("state", prose, "the state folder"), Property("startedAt", time),
        Property("manifests", .array(prose, limit: 4096), "folders and files that it reads manifests from"),
        Property("profile", prose, "the limits profile"), Property("tier", prose, "how process trees are controlled"),
        Property("running", count, "runs in progress"), Property("pending", count, "requests that wait"),
        Property("applications", count, "installed applications"),
        Property("clock", .string(.word(["machine", "virtual"])), "virtual: it stands still until somebody moves it"),
        Property("time", time, "by its clock"),
        Property("faults", .boolean, "its owner may let faults happen to tasks"),
        Property("longestTurn", seconds, "of the host's longest turn since its start"),
        Property(
            "transfers",
            .object([
                Property("running", count, "active attempts"),
                Property("waiting", count, "transfers that are neither over nor active"),
                Property("rate", count, "bytes a second of late, of all attempts"),
            ]), "in the background"),
        Property("fleet", .nullable(fleet), "null: it is in none"),
        Property("name", prose, "of the machine"),
        Property("mayChange", .boolean, "who asks may change things; false: he is one of the configuration's readers"),
    ]).named("Host")

    static let doctor = Schema.object([
        Property("serving", .boolean, "a daemon answers"),
        Property(
            "checks",
            .array(
                .object([
                    Property("check", words(MachineCheck.Name.self)),
                    Property(
                        "status", words(MachineCheck.Status.self),
                        "note: the host works, with less than it could have; fault: runs are refused, or do not start"),
                    Property("found", prose, "what the host observes"),
                    Property("costs", .nullable(prose), "what is missing because of that"),
                    Property("remedy", .nullable(prose), "what to do"),
                ]), limit: 64), "always all, in this order"),
    ]).named("Doctor")

    static let request = Schema.object([
        Property("identifier", .string(.identifier)), Property("application", .string(.identifier)),
        Property("kind", words(TaskKind.self)), Property("origin", words(RequestOrigin.self), "who asked"),
        Property("submittedAt", time), Property("earliestBeginDate", .nullable(time), "no run before it"),
        Property("requiresExternalPower", .boolean), Property("requiresNetworkConnectivity", .boolean),
        Property("requiredResources", count, "bits, as the framework numbers them"),
        Property("attempt", .integer(1...Int64(UInt32.max)), "1 for the first try"),
        Property("failures", count, "tries that failed, of those that count"),
        Property(
            "notBefore", .nullable(time),
            "the pause after a failure or between two runs, or the time that its handler asked for"
        ),
        Property("scheduledFor", .nullable(time), "when the schedule wanted it"),
        Property("leftOut", .nullable(time), "the schedule's time before it that the user left out last"),
        Property("title", .nullable(prose)), Property("subtitle", .nullable(prose)),
        Property("waiting", .nullable(prose), "what for, in one phrase"),
        Property("next", .nullable(time), "when that can change by itself"),
        Property("deferrals", count, "how often in a row its handler asked for another time"),
        Property("heldBy", .array(words(Gate.self), limit: 64), "the gates that keep it from running"),
        Property("payload", count, "bytes that its handler will get"),
    ]).named("Request")

    static let gate = Schema.object([
        Property("gate", words(Gate.self)), Property("verdict", .string(.word(["open", "closed", "unknown"]))),
        Property("holds", .boolean, "it keeps the request from running"), Property("since", .nullable(time)),
        Property("next", .nullable(time), "when it can change without an event"),
        Property("found", prose, "what the host observes"),
        Property("opens", .nullable(prose), "what would open it; null when it is open"),
    ])

    static let explanation = Schema.object([
        Property("identifier", .string(.identifier)), Property("application", .string(.identifier)),
        Property("pending", .boolean, "a request waits"), Property("request", .nullable(request)),
        Property("gates", .array(gate, limit: 64), "in the order in which they are looked at"),
        Property("summary", prose, "why it does not run, in one sentence"),
        Property("faults", .array(prose, limit: 8), "why a run of it would be refused as things are now"),
        Property("next", .nullable(time), "when that can change by itself"),
        Property("isServed", .boolean, "a daemon schedules; otherwise this is the recorded state"),
    ]).named("Explanation")

    static let run = Schema.object(RunField.run.map(\.property)).named("Run")
    static let runDetails = Schema.object(RunField.run.map(\.property) + detailProperties).named("RunDetails")

    private static let detailProperties = [
        Property("confinement", .nullable(prose), "the confinement that it really had"),
        Property(
            "memoryAtStart", .nullable(count), "bytes that earlier runs had left in its process, if they were many"),
        Property("output", outputSize, "its output"),
        Property(
            "payload", .nullable(count), "bytes that its handler got; null: a host of an earlier version ran it"),
        Property("settings", .nullable(prose), "in place of the manifest's, as one line of JSON; null: those held"),
        Property("events", .array(runEvent, limit: 256)),
        Property("waits", .array(wait, limit: 256), "what delayed its request"),
    ]
    private static let outputSize = Schema.object([
        Property("kept", count, "bytes that are kept"), Property("dropped", count, "bytes that are not"),
    ])
    static let logLines = Schema.object([
        Property("lines", .array(logLine, limit: 1_000), "in the order in which they begin"),
        Property(
            "next", .nullable(count), "as `offset` it continues from here; null: the run is over, and that was all"),
    ]).named("LogLines")
    private static let logLine = Schema.object([
        Property("at", .nullable(time), "when it began; null: a host of an earlier version kept it"),
        Property("stream", .nullable(words(LogStream.self)), "null: a host of an earlier version kept it"),
        Property("text", prose, "without the end of the line"),
        Property("isWhole", .boolean, "false: the next line of its stream continues it"),
    ])
    private static let runEvent = Schema.object([
        Property("event", words(RunEvent.Kind.self)), Property("at", time),
        Property("because", .nullable(prose), "a reason or an outcome"),
    ])
    private static let wait = Schema.object([
        Property("gate", words(Gate.self)), Property("from", time), Property("to", time),
    ])

    static let taskWaits = Schema.object([
        Property("identifier", .string(.identifier)),
        Property(
            "waits",
            .array(
                .object([
                    Property("gate", words(Gate.self)), Property("from", time),
                    Property("to", .nullable(time), "null: it still does"),
                ]), limit: 100_000), "the oldest first: of its runs' requests, then of the pending one"),
    ]).named("TaskWaits")

    static let manifests = Schema.object([
        Property(
            "manifests",
            .array(
                .object([
                    Property("path", prose, "of the file"),
                    Property("application", .nullable(prose), "that it describes; null: it cannot be read as one"),
                    Property("isUsed", .boolean, "false: its faults keep it from being used"),
                    Property("faults", .array(prose, limit: 10_000), "with their places, and what would be right"),
                    Property(
                        "unusedTasks",
                        .array(
                            .object([Property("identifier", .string(.identifier)), Property("fault", prose)]),
                            limit: 256), "tasks that are not used although the others are: what they run is missing"),
                ]).named("Manifest"), limit: 1_000_000), "in the order in which the host reads them"),
        Property("diagnostics", .array(prose, limit: 10_000), "places that cannot be read at all"),
    ]).named("Manifests")

    static let termination = Schema.object([
        Property("application", .string(.identifier)), Property("at", time),
        Property("reason", words(TerminationReason.self)),
        Property("code", .nullable(prose), "the documented termination code, such as 0x8badf00d"),
        Property("callback", .nullable(words(ApplicationCallback.self)), "the callback in progress"),
        Property("took", .nullable(seconds), "how long that had taken, or how long it had been in the background"),
        Property("suspended", .boolean, "it stood still when it was terminated"),
        Property("assertionCount", count, "assertions that it had begun and not ended"),
        Property(
            "assertions", .array(assertion, limit: Termination.maximumAssertions), "the oldest of them, oldest first"),
    ]).named("Termination")
    private static let assertion = Schema.object([
        Property("id", count, "the application's own number"), Property("name", .nullable(prose)),
        Property("age", seconds, "since it was begun"),
        Property("frames", .array(frame, limit: OpenAssertion.maximumFrames), "who began it, innermost first"),
    ])
    private static let frame = Schema.object([
        Property("module", .nullable(prose), "the file"),
        Property("offset", count, "the address in the file's own numbering"),
    ])

    static let transfer = Schema.object([
        Property("id", count), Property("application", .string(.identifier)),
        Property("session", prose, "its identifier"), Property("task", count, "the taskIdentifier within the session"),
        Property("kind", words(TransferKind.self)),
        Property("url", prose, "without user, password, query and fragment"),
        Property("state", words(TransferState.self)),
        Property("waitsFor", .nullable(prose), "why it does not continue, in one word"),
        Property("waitsUntil", .nullable(time), "when that is over by itself"),
        Property("received", count, "bytes of the body"), Property("sent", count, "bytes of the body"),
        Property("total", .nullable(count), "bytes of the body that is received or sent, if anybody has said"),
        Property("rate", .nullable(count), "bytes a second of late, while it is active"), Property("attempts", count),
        Property("status", .nullable(.integer(100...999)), "of the last answer"),
        Property("address", .nullable(prose), "that the last attempt was connected to"),
        Property("nextTry", .nullable(time), "not before, after a failed attempt"),
        Property("lastFault", .nullable(prose), "what ended the last attempt that failed"), Property("createdAt", time),
        Property("endedAt", .nullable(time)),
        Property("error", .nullable(words(TransferError.self)), "null: it succeeded, or is not over"),
        Property("errorCode", .nullable(.integer(Int64(Int32.min)...0)), "in NSURLErrorDomain"),
        Property("cancelReason", .nullable(words(TransferCancelReason.self)), "why the system cancelled it"),
        Property("sentence", .nullable(prose), "its outcome"),
        Property("file", .nullable(prose), "the finished file, until its application has taken it"),
        Property("source", .nullable(prose), "the file that is uploaded"),
    ]).named("Transfer")

    static let startedRun = Schema.object([
        Property("run", .string(.run)), Property("identifier", .string(.identifier)),
        Property("waitsFor", .nullable(prose), "what delays even a run that the user started; null: nothing"),
    ]).named("StartedRun")

    private static let fault = StringFormat.word(SimulatedFault.allCases.map(\.rawValue))
    static let simulatedFault = Schema.object([
        Property("identifier", .string(.identifier)), Property("fault", .string(fault)),
        Property("run", .nullable(.string(.run)), "the run in progress that has it; null: the next one will"),
    ]).named("SimulatedFault")

    static let progress = Schema.object([
        Property("run", .string(.run)), Property("identifier", .string(.identifier)),
        Property("completed", .integer(Int64.min...Int64.max), "in units of its own"),
        Property("total", .integer(Int64.min...Int64.max), "0: it does not say"), Property("text", prose),
        Property("title", .nullable(prose), "of continued processing"), Property("subtitle", .nullable(prose)),
    ])

    static let task = Schema.object(taskProperties).named("Task")
    static let taskDescription = Schema.object(taskProperties + descriptionProperties).named("TaskDescription")

    private static let taskProperties = [
        Property("identifier", .string(.identifier)), Property("application", .string(.identifier)),
        Property("name", .nullable(prose), "of the application"),
        Property("user", .nullable(prose), "of the machine that its application runs as; null: the host chooses"),
        Property(
            "confinement", .string(.word(ConfinementLevel.allCases.map(\.rawValue))),
            "none: its programs have their user's own rights"),
        Property("kind", words(TaskKind.self)),
        Property("priority", words(WorkPriority.self), "among what is due of its kind"),
        Property("state", words(ApplicationState.self), "of the application"),
        Property("budget", budget), Property("pending", .nullable(request)),
        Property("waiting", .nullable(prose), "in one phrase"),
        Property("next", .nullable(time), "when it can run, if known"), Property("lastRun", .nullable(run)),
        Property("lastTermination", .nullable(termination), "of the application's processes by the host"),
        Property("forceQuit", .nullable(.boolean), "the user quit its application and has not opened it since"),
        Property("refreshDenied", .nullable(.boolean), "its application's background refresh is turned off"),
        Property(
            "recent",
            .array(
                .object([
                    Property("run", .string(.run)), Property("outcome", outcome), Property("endedAt", .nullable(time)),
                    Property("wallTime", .nullable(seconds), "seconds"),
                ]), limit: Route.recentRuns), "its newest ended runs, newest first; if the query asks for them",
            optional: true),
    ]
    static let budget = Schema.object([
        Property("wallClock", .nullable(seconds), "seconds"), Property("cpuTime", .nullable(seconds), "seconds"),
        Property("memory", .nullable(count), "bytes"),
        Property("disk", .nullable(count), "bytes in $STATE and $CACHE"),
        Property("grace", seconds, "seconds"),
    ])

    static let application = Schema.object([
        Property("identifier", .string(.identifier)), Property("name", .nullable(prose)),
        Property("state", words(ApplicationState.self)), Property("forceQuit", .boolean),
        Property("quarantinedUntil", .nullable(time)), Property("refreshDenied", .boolean),
        Property("usage", .number, "processor time it used of late, in seconds"),
        Property("crashes", count, "since its last good run"),
        Property("quotaUsed", .number, "processor time of its quota that is used up, in seconds"),
        Property("quotaEnd", .nullable(time), "when the quota begins anew"), Property("workers", count, "that live"),
        Property("installed", .boolean, "its manifest is there"), Property("tasks", count, "that it has"),
        Property("lastTermination", .nullable(termination), "of its processes by the host"),
        Property(
            "fetchInterval", .nullable(.number), "seconds between fetches that it asked for; null: it wants none"),
        Property("unansweredFetches", count, "in a row; each doubled the pause to the next one"),
        Property("notified", .array(time, limit: NotificationTimes.most), "when, newest first"),
    ]).named("Application")

    static let pauses = Schema.object([
        Property(
            "pauses",
            .array(
                .object([
                    Property("of", .string(.word(["host", "application", "task"]))),
                    Property("identifier", .nullable(.string(.identifier)), "null: all work"),
                    Property("since", time), Property("until", .nullable(time), "null: until it is resumed"),
                ]).named("Pause"), limit: 10_000), "those in force, the oldest first")
    ]).named("Pauses")

    static let applicationExplanation = Schema.object([
        Property("application", application),
        Property("summary", prose, "what delays all of its work, in one sentence"),
        Property("fetch", prose, "whether and when it is called for background fetch"),
        Property("push", prose, "whether and when it is called for remote notifications"),
        Property("transfers", prose, "how many of its background transfers are active, and what others wait for"),
        Property("tasks", .array(explanation, limit: 512), "each with its gates"),
        Property("isServed", .boolean, "a daemon schedules; otherwise this is the recorded state"),
    ]).named("ApplicationExplanation")

    static let device = Schema.object([
        Property("conditions", .object(ConditionName.ofMachine.map { Property($0.word, condition($0)) })),
        Property("fleet", .nullable(fleet), "null: the host is in none", optional: true),
    ]).named("Device")

    private static func condition(_ name: ConditionName) -> Schema {
        .object([
            Property("value", .string(.condition(name)), "the value that applies"),
            Property("observed", .string(.condition(name)), "the source's value"),
            Property("source", .nullable(prose), "the source, or why there is none"),
            Property("overridden", .boolean, "by device set"), Property("since", .nullable(time)),
            Property("next", .nullable(time), "when it becomes another by itself"),
        ])
    }

    static let conditionValues = Schema.object(
        ConditionName.ofMachine.map { Property($0.word, .string(.condition($0)), optional: true) })

    static let journalEntry = Schema.object([
        Property("at", time), Property("kind", prose), Property("subject", prose), Property("text", prose),
    ])

    static let skipped = Schema.object([
        Property("identifier", .string(.identifier)), Property("leftOut", time, "the time that is left out"),
        Property("scheduledFor", .nullable(time), "the next time of the schedule; null: it has no more"),
    ])
    static let cancelled = Schema.object([Property("cancelled", count, "requests that were pending")])
    static let clockMove = Schema.object([Property("seconds", seconds)])
    static let movedClock = Schema.object([
        Property("time", time, "where it is now"),
        Property("left", seconds, "what is still to move: the answer did not wait longer"),
    ])
    static let faultOfTask = Schema.object([
        Property("identifier", .string(.identifier)), Property("fault", .string(fault)),
    ])
    static let identifierOnly = Schema.object([Property("identifier", .string(.identifier))])

    static let deviceLogEntry = Schema.object([
        Property("at", time), Property("condition", words(ConditionName.self)),
        Property("value", prose, "the new value"),
    ])

    static let forecast = Schema.object([
        Property("from", time), Property("until", time, "the end, or the last run of an incomplete one"),
        Property(
            "conditions", .string(.word(["trace", "recorded", "steady"])),
            "those of the trace, those of the time as long before, or those of a steady day"),
        Property("covered", seconds, "of that time, which are on record"),
        Property("overridden", .map(prose), "conditions that the operator has set"),
        Property(
            "windows",
            .array(
                .object([Property("at", time), Property("window", prose, "open or closed")]), limit: 1_000_000),
            "when the configuration's windows open and close"),
        Property("complete", .boolean, "false: there would be more runs"),
        Property("runs", .array(forecastRun, limit: 20_000), "in the order of their times"),
        Property("waiting", .array(forecastWait, limit: 1_000_000), "tasks that do not run"),
        Property(
            "homeless", .array(.string(.identifier), limit: 1_000_000), "requests that no manifest has a task for"),
        Property(
            "refused",
            .array(
                .object([Property("identifier", .string(.identifier)), Property("fault", prose, "the reason")]),
                limit: 1_000_000), "tasks whose runs would be refused as things are now"),
    ]).named("Forecast")
    private static let forecastRun = Schema.object([
        Property("at", time), Property("identifier", .string(.identifier)),
        Property("application", .string(.identifier)), Property("kind", words(TaskKind.self)),
        Property("origin", words(RequestOrigin.self), "who asked"),
        Property("attempt", .integer(1...Int64(UInt32.max))),
        Property("scheduledFor", .nullable(time), "when the schedule wants it"),
        Property("leftOut", .nullable(time), "the schedule's time before it that the operator left out"),
        Property("earliestBeginDate", .nullable(time), "no run before it"), Property("until", time, "its end"),
        Property("stopped", .nullable(prose), "the condition that it loses before its time is over"),
        Property("waits", .array(wait, limit: 10_000), "what delays it"),
    ])
    private static let forecastWait = Schema.object([
        Property("identifier", .string(.identifier)), Property("application", prose),
        Property("summary", prose, "what delays it, in one phrase"),
        Property(
            "gates",
            .array(
                .object([
                    Property("gate", words(Gate.self)), Property("found", prose, "what the host observes"),
                    Property("opens", prose, "what would open it"), Property("next", .nullable(time)),
                ]), limit: 64), "of its request: none without one"),
    ])

    static let length = Schema.object([
        Property("identifier", .string(.identifier)),
        Property("median", .number, "of the newest runs' wall time, in seconds"),
    ])

    /// The newest rows of a long list, and where to continue.
    ///
    /// - Parameter place: what names a place in the list.
    static func page(_ key: String, _ element: Schema, place: Schema = count) -> Schema {
        .object([
            Property(key, .array(element, limit: 1_000_000), "newest first"),
            Property("next", .nullable(place), "as `before` it continues from here; null: that was all"),
            Property(
                "unreadable", .array(prose, limit: 1_000_000),
                "rows of this part that cannot be read, such as damaged ones"),
            Property(
                "damage", .nullable(prose),
                "pages of the record that are not as the host wrote them; null: none was read",
                optional: true),
        ])
    }

    /// A list of many under one key.
    static func list(_ key: String, _ element: Schema) -> Schema {
        .object([Property(key, .array(element, limit: 1_000_000))])
    }
}
