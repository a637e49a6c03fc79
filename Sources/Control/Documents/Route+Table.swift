import TaskModel

// The API, line by line. A route that is not in `all` does not exist.
extension Route {
    /// Bytes of a run's payload at most.
    package static let payloadBytes = 128 << 10
    /// Bytes of a run's settings at most, as one line of JSON text.
    package static let settingsBytes = 64 << 10
    /// Bytes of a notification's payload at most, as one line of JSON text: what Apple's service takes.
    package static let notificationBytes = 4 << 10
    /// Rows that one reply lists at most.
    package static let rows: ClosedRange<Int64> = 1...10_000
    /// Newest runs of each task that a list of tasks tells at most.
    package static let recentRuns = 100
    private static let limit = Parameter("limit", .integer(rows), "so many at most, newest first")
    private static let before = Parameter(
        "before", .integer(0...Int64.max), "only earlier entries: the next of the previous reply")
    private static let beforeRun = Parameter(
        "before", .string(.text(limit: 26)), "only earlier runs: a run's id, or the next of the previous reply")
    private static let noSuch = [404]

    package static let all: [Route] = [
        .host, .doctor, .listTasks, .describeTask, .explainTask, .skipTime, .listRequests, .submitRequest,
        .cancelRequest,
        .cancelRequests, .listPauses, .pause, .resume,
        .startRuns, .recordRun, .listRuns, .showRun, .readLog, .readPayload, .cancelRun, .retryRun, .listActive,
        .listProgress,
        .listLengths, .showUsage, .listChanges,
        .simulateLaunch,
        .simulateExpiration, .simulateFault, .advanceClock, .showDevice, .overrideDevice, .resetDevice, .readDeviceLog,
        .listApplications,
        .bringToForeground, .sendToBackground, .quitApplication, .liftQuarantine,
        .denyRefresh, .allowRefresh, .explainApplication, .notifyApplication,
        .listTransfers, .showTransfer, .addTransfer, .pauseTransfer, .resumeTransfer, .cancelTransfer,
        .forecast, .playForecast, .readJournal, .listTerminations, .reload, .copyRecord, .watchEvents, .metrics,
        .openAPI, .words, .listManifests, .listWaits, .fleet, .page, .pageScript, .pageModule, .pageStyle, .pageIcon,
    ]

    package static let metrics = Route(
        "readMetrics", .get, "/metrics", summary: "Figures for Prometheus, as text 0.0.4 or OpenMetrics 1.0.0",
        reply: .metrics)
    package static let host = Route(
        "showHost", .get, "/v1/host", summary: "The host itself", reply: .json(.host))
    package static let fleet = Route(
        "showFleet", .get, "/v1/fleet", summary: "The fleet that the host is in: its hosts, and its open requests",
        reply: .json(.fleetOverview), problems: [404, 503])
    package static let doctor = Route(
        "examineMachine", .get, "/v1/doctor", summary: "What the machine gives the host, and what it lacks",
        reply: .json(.doctor))
    package static let listTasks = Route(
        "listTasks", .get, "/v1/tasks", summary: "All tasks, and what they wait for",
        query: [
            Parameter("limit", .integer(rows), "so many at most, in the order in which they were installed"),
            Parameter("after", .string(.identifier), "those that follow this one"),
            Parameter("recent", .integer(1...Int64(recentRuns)), "also so many of each task's newest ended runs"),
        ], reply: .json(.list("tasks", .task)), problems: noSuch)
    package static let describeTask = Route(
        "describeTask", .get, "/v1/tasks/{id}",
        summary: "What a task is: its manifest with the defaults filled in, its request, its runs",
        reply: .json(.taskDescription), problems: noSuch)
    package static let explainTask = Route(
        "explainTask", .get, "/v1/tasks/{id}/why", summary: "Every gate of a task with its verdict",
        reply: .json(.explanation), problems: noSuch)

    package static let listWaits = Route(
        "listWaits", .get, "/v1/tasks/{id}/waits", summary: "What delayed a task's requests, and what delays it now",
        query: [
            Parameter("since", .string(.dateTime), "delays that were over by then are left out; a day ago unless given")
        ],
        reply: .json(.taskWaits), problems: noSuch)

    package static let skipTime = Route(
        "skipTime", .post, "/v1/tasks/{id}/skip", summary: "Leave out the next time of a task's schedule",
        reply: .json(.skipped), problems: [404, 409])

    // MARK: Pauses

    private static let pausedWork: [Schema.Property] = [
        .init("identifier", .string(.identifier), "of an application or a task; without one all work", optional: true),
        .init(
            "of", .string(.word(["application", "task"])), "which of them, where both have the identifier",
            optional: true),
    ]
    package static let listPauses = Route(
        "listPauses", .get, "/v1/pauses", summary: "What the user holds back", reply: .json(.pauses))
    package static let pause = Route(
        "pause", .post, "/v1/pause",
        summary: "Hold a task, an application or all work back, or give its pause another end; runs in progress go on",
        body: .object(
            pausedWork + [
                .init(
                    "until", .nullable(.string(.dateTime)), "the end of the pause; null: resume ends it", optional: true
                )
            ]
        ).named("NewPause"), reply: .json(.pauses), problems: [404, 409, 422])
    package static let resume = Route(
        "resume", .post, "/v1/resume", summary: "End a pause; what became due during it runs once",
        body: .object(
            pausedWork + [.init("everything", .boolean, "every pause, whatever it is of", optional: true)]
        ).named("Resumption"), reply: .json(.pauses), problems: [404, 409])

    // MARK: Forecasts

    private static let days = Schema.integer(1...366)
    package static let forecast = Route(
        "forecast", .get, "/v1/forecast", summary: "When the tasks of the host's manifests would run, and why then",
        query: [
            Parameter("days", days, "how far to look; 1 unless it is given"),
            Parameter(
                "identifier", .string(.text(limit: 512)),
                "of a task or an application; the others still take their turns"),
        ], reply: .json(.forecast), problems: noSuch)
    package static let playForecast = Route(
        "playForecast", .post, "/v1/forecast",
        summary: "The same over a trace of the device's conditions, or of other manifests; changes nothing",
        body: .object([
            .init("days", days, "how far to look; 1 unless it is given", optional: true),
            .init(
                "identifiers", .array(.string(.text(limit: 512)), limit: 4096),
                "tasks or applications; the others "
                    + "still take their turns", optional: true),
            .init(
                "trace", .string(.prose), "how the device's conditions change: one JSON object a line",
                optional: true),
            .init(
                "manifests",
                .array(
                    .object([
                        .init("text", .string(.prose), "of the manifest"),
                        .init(
                            "isApplication", .boolean, "its library exports taskhost_application_v1", optional: true
                        ),
                    ]), limit: 4096), "in place of the host's own", optional: true),
        ]).named("ForecastQuestion"), reply: .json(.forecast), problems: noSuch, isForReaders: true)

    // MARK: Requests

    package static let listRequests = Route(
        "listRequests", .get, "/v1/requests", summary: "Pending requests in the order of their submission",
        reply: .json(.list("requests", .request)))
    package static let submitRequest = Route(
        "submitRequest", .post, "/v1/requests", summary: "Submit a request; it is on disk before the reply",
        body: .object([
            .init("identifier", .string(.identifier), "of the task"),
            .init("earliestBeginDate", .nullable(.string(.dateTime)), "no run before it", optional: true),
            .init("requiresExternalPower", .boolean, "beside the manifest", optional: true),
            .init("requiresNetworkConnectivity", .boolean, "beside the manifest", optional: true),
            .init("payload", .string(.base64(limit: payloadBytes)), "for the handler", optional: true),
            .init(
                "traceparent", .string(.text(limit: 255)),
                "the parent of its traces (W3C Trace Context), instead of the header's",
                optional: true),
        ]).named("NewRequest"), status: 201, reply: .json(.request), problems: [404, 409, 422])
    package static let cancelRequest = Route(
        "cancelRequest", .delete, "/v1/requests/{id}",
        summary: "Cancel the pending request of an identifier; times of schedules stay", reply: .json(.cancelled),
        problems: [404, 409])
    package static let cancelRequests = Route(
        "cancelRequests", .delete, "/v1/requests",
        summary: "Cancel all pending requests; times of schedules stay", reply: .json(.cancelled))

    // MARK: Runs

    package static let startRuns = Route(
        "startRuns", .post, "/v1/runs", summary: "Run tasks now, whatever their conditions say",
        body: .either(
            list: "identifiers", flag: "all",
            .object([
                .init(
                    "identifiers", .array(.string(.identifier), limit: 10_000), "tasks or applications", optional: true),
                .init("all", .boolean, "every task once; instead of identifiers", optional: true),
                .init("payload", .string(.base64(limit: payloadBytes)), "for the handlers", optional: true),
                .init(
                    "settings", .anyObject,
                    "in place of the manifests', at most \(settingsBytes) bytes as one line of text", optional: true),
                .init(
                    "attempt", .integer(1...Int64(UInt32.max)), "the number of the try, by the count of who repeats it",
                    optional: true),
            ])), status: 202, reply: .json(.list("runs", .startedRun)), problems: [404, 409, 429])
    package static let recordRun = Route(
        "recordRun", .post, "/v1/runs/ended",
        summary: "Remember a run that a host of its own has ended; it is on disk before the reply",
        body: .object([.init("run", .runDetails, "of an application that no manifest of this host has")]), status: 201,
        reply: .json(.run), problems: [409])
    package static let listRuns = Route(
        "listRuns", .get, "/v1/runs", summary: "Past and present runs, newest first",
        query: [
            Parameter("identifier", .string(.identifier), "of a task or an application"),
            Parameter("application", .string(.identifier), "of an application"),
            Parameter("outcome", .array(.outcome, limit: 16), "with one of these outcomes, with commas"),
            Parameter("kind", .kind, "of a task of this kind"),
            Parameter("since", .string(.dateTime), "admitted then or later"),
            Parameter("until", .string(.dateTime), "admitted before"),
            Parameter(
                "q", .string(.text(limit: 512)), "whose task's or application's identifier contains it, in any case"),
            Parameter("unlike", .boolean, "true: only runs that are unlike their task's last ones"),
            Parameter(
                "sort", .string(.word(["wallTime", "cpuTime", "peakMemory"])),
                "the largest first, of all that fit; runs without the figure are left out"),
            limit, beforeRun,
        ],
        reply: .json(.page("runs", .run, place: .string(.text(limit: 26)))), problems: noSuch)
    package static let showRun = Route(
        "showRun", .get, "/v1/runs/{id}", summary: "Everything that is known of a run", reply: .json(.runDetails),
        problems: noSuch)
    package static let readLog = Route(
        "readLog", .get, "/v1/runs/{id}/log",
        summary: "What a run printed and logged: all of it, or lines from a place on",
        query: [
            Parameter(
                "offset", .integer(0...Int64.max),
                "answer with lines, from here on: 0, or the next of the reply before")
        ], reply: .textOrJSON(parameter: "offset", .logLines), problems: noSuch)
    package static let readPayload = Route(
        "readPayload", .get, "/v1/runs/{id}/payload", summary: "The payload that a run's handler got",
        reply: .file("application/octet-stream"), problems: noSuch, isForReaders: false)
    package static let cancelRun = Route(
        "cancelRun", .post, "/v1/runs/{id}/cancel", summary: "Warn a run as if its user had cancelled it", status: 202,
        reply: .json(.startedRun), problems: [404, 409])

    package static let retryRun = Route(
        "retryRun", .post, "/v1/runs/{id}/retry",
        summary: "Request a past run again, with its payload and settings; it is on disk before the reply", status: 201,
        reply: .json(.request), problems: [404, 409, 422])

    package static let listProgress = Route(
        "listProgress", .get, "/v1/progress", summary: "How far the runs in progress are, of those that report it",
        reply: .json(.list("runs", .progress)))

    package static let listActive = Route(
        "listActive", .get, "/v1/active", summary: "The runs in progress, in the order of their admission",
        reply: .json(.list("runs", .run)))

    package static let listLengths = Route(
        "listLengths", .get, "/v1/lengths", summary: "How long the newest runs of tasks took, by identifier",
        query: [Parameter("after", .string(.identifier), "the next of the reply before this one")],
        reply: .json(
            .object([
                .init("tasks", .array(.length, limit: 1_000_000), "that have ended runs"),
                .init("next", .nullable(.string(.identifier)), "where to continue; null: that was all"),
            ])))

    private static let sinceADayAgo = Parameter("since", .string(.dateTime), "a day ago unless it is given")
    package static let showUsage = Route(
        "showUsage", .get, "/v1/usage", summary: "What tasks used, the one with most processor time first",
        query: [sinceADayAgo], reply: .json(.usage))
    package static let listChanges = Route(
        "listChanges", .get, "/v1/changes", summary: "Tasks whose runs end otherwise than before a moment",
        query: [sinceADayAgo], reply: .json(.changes))

    // MARK: Simulation

    package static let simulateLaunch = Route(
        "simulateLaunch", .post, "/v1/simulate/launch", summary: "Start a pending request now", body: .identifierOnly,
        status: 202, reply: .json(.startedRun), problems: noSuch)
    package static let simulateExpiration = Route(
        "simulateExpiration", .post, "/v1/simulate/expiration", summary: "Expire a task's run now",
        body: .identifierOnly, status: 202, reply: .json(.startedRun), problems: noSuch)
    package static let simulateFault = Route(
        "simulateFault", .post, "/v1/simulate/fault", summary: "Let a fault happen to a task's run",
        body: .faultOfTask, status: 202, reply: .json(.simulatedFault), problems: noSuch + [409])
    package static let advanceClock = Route(
        "advanceClock", .post, "/v1/simulate/advance", summary: "Move the virtual clock on",
        body: .clockMove, reply: .json(.movedClock), problems: [409])

    // MARK: The machine

    package static let showDevice = Route(
        "showDevice", .get, "/v1/device", summary: "The machine's conditions", reply: .json(.device))
    package static let overrideDevice = Route(
        "overrideDevice", .patch, "/v1/device", summary: "Override conditions", body: .conditionValues,
        reply: .json(.device))
    package static let resetDevice = Route(
        "resetDevice", .delete, "/v1/device", summary: "Drop all overrides", reply: .json(.device))

    package static let readDeviceLog = Route(
        "readDeviceLog", .get, "/v1/device/log", summary: "What the conditions were, newest first",
        query: [limit, before], reply: .json(.page("entries", .deviceLogEntry)))

    // MARK: Applications

    package static let listApplications = Route(
        "listApplications", .get, "/v1/applications", summary: "Applications and their states",
        reply: .json(.list("applications", .application)))
    package static let bringToForeground = Route(
        "bringToForeground", .post, "/v1/applications/{id}/foreground", summary: "Open an application",
        reply: .json(.application), problems: [404, 409])
    package static let sendToBackground = Route(
        "sendToBackground", .post, "/v1/applications/{id}/background", summary: "Send an application to the background",
        reply: .json(.application), problems: [404, 409])
    package static let quitApplication = Route(
        "quitApplication", .post, "/v1/applications/{id}/quit",
        summary: "Quit an application for the user; none of its work starts until it is opened",
        reply: .json(.application), problems: noSuch)
    package static let liftQuarantine = Route(
        "liftQuarantine", .post, "/v1/applications/{id}/lift", summary: "End an application's quarantine",
        reply: .json(.application), problems: noSuch)

    package static let denyRefresh = Route(
        "denyRefresh", .post, "/v1/applications/{id}/deny", summary: "Turn background refresh off for an application",
        reply: .json(.application), problems: noSuch)
    package static let allowRefresh = Route(
        "allowRefresh", .post, "/v1/applications/{id}/allow", summary: "Turn background refresh on for an application",
        reply: .json(.application), problems: noSuch)

    package static let explainApplication = Route(
        "explainApplication", .get, "/v1/applications/{id}/why",
        summary: "What holds an application, its fetch, its notifications and its tasks",
        reply: .json(.applicationExplanation), problems: noSuch)
    package static let notifyApplication = Route(
        "notifyApplication", .post, "/v1/applications/{id}/notify",
        summary: "Deliver a remote notification to an application; it is on disk before the reply",
        body: .object([
            .init("payload", .anyObject, "at most \(notificationBytes) bytes as one line of text")
        ]).named("NewNotification"), status: 201, reply: .json(.request), problems: [404, 422])

    // MARK: Background transfers

    package static let listTransfers = Route(
        "listTransfers", .get, "/v1/transfers", summary: "Background transfers, newest first",
        query: [
            Parameter("application", .string(.identifier), "of one application"),
            Parameter("open", .boolean, "only those that their application has not taken note of"), limit, before,
        ], reply: .json(.page("transfers", .transfer)))
    package static let showTransfer = Route(
        "showTransfer", .get, "/v1/transfers/{id}", summary: "A background transfer", reply: .json(.transfer),
        problems: noSuch)
    package static let addTransfer = Route(
        "addTransfer", .post, "/v1/transfers",
        summary: "Download a file for an application; it is on disk before the reply",
        body: .object([
            .init("application", .string(.identifier), "gets the file in its cache folder, without any call"),
            .init("url", .string(.text(limit: TransferLimit.url)), "http or https"),
            .init("headers", .map(.string(.text(limit: TransferLimit.headers))), "by name", optional: true),
            .init(
                "sha256", .string(.sha256), "the digest that the file must have: 64 hexadecimal digits",
                optional: true),
        ]).named("NewTransfer"), status: 201, reply: .json(.transfer), problems: [404, 422])
    package static let pauseTransfer = Route(
        "pauseTransfer", .post, "/v1/transfers/{id}/pause",
        summary: "Pause a transfer until the user resumes it; its bytes are kept", reply: .json(.transfer),
        problems: [404, 409])
    package static let resumeTransfer = Route(
        "resumeTransfer", .post, "/v1/transfers/{id}/resume",
        summary: "Let a transfer continue that the user has paused",
        reply: .json(.transfer), problems: [404, 409])
    package static let cancelTransfer = Route(
        "cancelTransfer", .post, "/v1/transfers/{id}/cancel",
        summary: "Cancel a transfer; its application receives the error", reply: .json(.transfer),
        problems: [404, 409])

    // MARK: The host

    package static let readJournal = Route(
        "readJournal", .get, "/v1/journal", summary: "What happened, newest first", query: [limit, before],
        reply: .json(.page("entries", .journalEntry)))
    package static let listTerminations = Route(
        "listTerminations", .get, "/v1/terminations",
        summary: "Ends that the host made of applications' processes, newest first",
        query: [Parameter("application", .string(.identifier), "of one application"), limit, before],
        reply: .json(.page("terminations", .termination)))
    package static let reload = Route(
        "reload", .post, "/v1/reload", summary: "Read the manifests again",
        reply: .json(
            .object([
                .init("loaded", .integer(0...1_000_000), "applications"),
                .init("diagnostics", .array(.string(.prose), limit: 1_000_000), "faults of the manifests"),
            ])))
    package static let listManifests = Route(
        "listManifests", .get, "/v1/manifests", summary: "The manifests that the host has read, with their faults",
        reply: .json(.manifests))
    package static let copyRecord = Route(
        "copyRecord", .post, "/v1/backup", summary: "A copy of the record as it is now, as one SQLite database",
        reply: .file("application/vnd.sqlite3"), problems: [409, 507])
    package static let watchEvents = Route(
        "watchEvents", .get, "/v1/events",
        summary: "Events from now on, or after the event of Last-Event-ID, as server-sent events",
        query: [
            Parameter("runs", .array(.string(.run), limit: 4096), "only events of these runs, with commas"),
            Parameter("usage", .boolean, "also what each run in progress uses, once a second"),
        ], reply: .events)

    // MARK: The page

    package static let page = Route(
        "readPage", .get, "/ui/index.html", summary: "The page that taskhost ui opens in a browser",
        reply: .file("text/html; charset=utf-8"))
    package static let pageScript = Route(
        "readPageScript", .get, "/ui/app.js", summary: "Its script", reply: .file("text/javascript; charset=utf-8"))
    package static let pageModule = Route(
        "readPageModule", .get, "/ui/scripts/{id}", summary: "A module of its script, by its file name",
        reply: .file("text/javascript; charset=utf-8"), problems: noSuch)
    package static let pageStyle = Route(
        "readPageStyle", .get, "/ui/app.css", summary: "Its style sheet", reply: .file("text/css; charset=utf-8"))
    package static let pageIcon = Route(
        "readPageIcon", .get, "/ui/icon.svg", summary: "Its icon", reply: .file("image/svg+xml"))

    package static let words = Route(
        "listWords", .get, "/v1/words", summary: "The words of all documents for outcomes, gates and states",
        reply: .json(.wordTables))
    package static let openAPI = Route(
        "describe", .get, "/v1/openapi.json", summary: "This description", reply: .json(.anyObject))
}
