import Control
import Foundation
import JSON
import Linux
import TaskModel
import TestSupport

/// The real control server on its own thread, with routes that play a host: one task of each fate, and no workers.
///
/// Thread: everything but `init`, `state` and `stop` belongs to the loop's.
final class ScriptedHost: @unchecked Sendable {
    let state: Folder
    private let mail: TestLoop.Mail
    private let ended = DispatchSemaphore(value: 0)
    /// Set by `stop` alone.
    private var isTold = false
    let router = Router(version: "1.0.0")
    private var server: ControlServer?
    private var loop: TestLoop?
    private var streams: [any ControlStream] = []
    private var runs: [ULID: RunRecord] = [:]
    private var nextEvent: UInt64 = 1
    private var requests: [String: [JSONOutput.Member]] = [:]
    private var overrides: [String: String] = [:]
    private var isStopped = false
    /// Runs of the task `waits` end when a request cancels or expires them.
    private var waiting: [String: ULID] = [:]

    init() throws {
        state = try Folder()
        let server = ControlServer(
            listeners: [try ControlSocket.open(inState: state.path)], handler: router, access: { _, _ in .all })
        let loop = try TestLoop(server)
        mail = loop.mailbox
        self.server = server
        self.loop = loop
        addRoutes()
        Thread { [self] in
            _ = try? self.loop?.run(patience: .long) { isStopped }
            self.server?.close()
            self.loop = nil
            self.server = nil
            ended.signal()
        }.start()
    }

    /// Closes the socket; returns when that is done.
    func stop() {
        guard !isTold else { return }
        isTold = true
        mail.post { [self] in isStopped = true }
        ended.wait()
    }

    func send(_ name: String, _ data: JSONOutput) {
        let event = StreamedEvent(name, id: nextEvent, data: data.bytes())
        for stream in streams { stream.send(event) }
        nextEvent += 1
    }

    // MARK: Routes

    private func addRoutes() {
        addLists()
        addRequests()
        addRuns()
        addTransfers()
        router.addStream(.watchEvents) { [unowned self] _, stream in
            streams.append(stream)
            stream.didClose = { [unowned self] in streams.removeAll { $0 === stream } }
        }
        for route in [
            Route.bringToForeground, .sendToBackground, .quitApplication, .liftQuarantine, .denyRefresh, .allowRefresh,
        ] {
            router.add(route) { exchange throws(Control.Problem) in
                guard exchange["id"] == "com.example.app" else { throw .noSuchApplication(exchange["id"]) }
                let state = route.name == "sendToBackground" ? "background" : "active"
                exchange.reply([
                    "identifier": .string(exchange["id"]), "name": nil,
                    "forceQuit": .bool(route.name == "quitApplication"),
                    "state": .string(route.name == "quitApplication" ? "notRunning" : state), "quarantinedUntil": nil,
                    "refreshDenied": .bool(route.name == "denyRefresh"), "usage": 0, "workers": 1,
                ])
            }
        }
        router.add(.reload) { $0.reply(["loaded": 1, "diagnostics": ["m.json:1:1: $: found x; expected y"]]) }
        router.add(.readJournal) { exchange in
            let limit = exchange.query.integer("limit") ?? 0
            exchange.reply([
                "entries": [
                    [
                        "at": "2026-03-01T12:00:00.000Z", "kind": "override", "subject": "power",
                        "text": "\(limit) asked for",
                    ]
                ]
            ])
        }
        router.add(.showDevice) { [unowned self] in $0.reply(device) }
        router.add(.overrideDevice) { [unowned self] exchange in
            for name in exchange.body.names { overrides[name] = exchange.body.text(name) }
            exchange.reply(device)
        }
        router.add(.resetDevice) { [unowned self] exchange in
            overrides = [:]
            exchange.reply(device)
        }
    }

    private func addLists() {
        router.add(.listActive) { [unowned self] exchange in
            let active = runs.values.filter { $0.outcome == nil }.sorted { $0.id < $1.id }
            exchange.reply(["runs": .array(active.map { RunDocument.json($0) })])
        }
        router.add(.listProgress) { $0.reply(["runs": []]) }
        router.add(.host) { [unowned self] exchange in
            exchange.reply([
                "version": "1.0.0", "pid": 1, "state": .string(state.path), "startedAt": "2026-03-01T12:00:00.000Z",
                "profile": "modern", "tier": "tree", "running": .integer(Int64(waiting.count)),
                "pending": .integer(Int64(requests.count)), "applications": 1,
            ])
        }
        router.add(.listTasks) { exchange in
            exchange.reply([
                "tasks": [
                    [
                        "identifier": "org.taskhost.examples.crc32", "state": "suspended", "pending": nil,
                        "waiting": "external power", "next": "2026-03-01T12:00:00.000Z",
                    ]
                ]
            ])
        }
        router.add(.listApplications) { exchange in
            exchange.reply([
                "applications": [
                    ["identifier": "com.example.bare", "state": "active", "installed": true, "tasks": 0],
                    ["identifier": "com.example.gone", "state": "notRunning", "installed": false, "tasks": 0],
                    ["identifier": "org.taskhost.examples", "state": "suspended", "installed": true, "tasks": 1],
                ]
            ])
        }
        router.add(.explainTask) { exchange throws(Control.Problem) in
            guard exchange["id"] == "com.example.good" else {
                throw .noSuchTask(exchange["id"], near: "com.example.good")
            }
            exchange.reply([
                "identifier": "com.example.good", "application": "com.example.app", "pending": true, "request": nil,
                "gates": [
                    [
                        "gate": "manifest", "verdict": "open", "holds": false, "since": nil, "next": nil,
                        "found": "loaded",
                        "opens": "",
                    ],
                    [
                        "gate": "externalPower", "verdict": "closed", "holds": true,
                        "since": "2026-03-01T12:00:00.000Z", "next": nil, "found": "on battery, 54 %",
                        "opens": "external power",
                    ],
                ], "summary": "com.example.good waits for external power",
            ])
        }
    }

    private func addRequests() {
        router.add(.submitRequest) { [unowned self] exchange throws(Control.Problem) in
            let identifier = exchange.body.text("identifier") ?? ""
            guard identifier != "com.example.full" else {
                throw .submission(SubmissionFault(.tooManyPendingTaskRequests, "too many; \(identifier); cancel one"))
            }
            let request: [JSONOutput.Member] = [
                .init("identifier", .string(identifier)), .init("application", "com.example.app"),
                .init("kind", "processing"), .init("origin", "person"),
                .init("submittedAt", "2026-03-01T12:00:00.000Z"),
                .init("earliestBeginDate", JSONOutput(exchange.body.timestamp("earliestBeginDate")?.iso8601)),
                .init("requiresExternalPower", .bool(exchange.body.bool("requiresExternalPower") ?? false)),
                .init("requiresNetworkConnectivity", .bool(exchange.body.bool("requiresNetworkConnectivity") ?? false)),
                .init("attempt", 1), .init("notBefore", nil), .init("scheduledFor", nil), .init("leftOut", nil),
                .init("deferrals", 0), .init("title", nil), .init("subtitle", nil), .init("waiting", "external power"),
                .init("next", nil),
            ]
            loop?.afterCommit.append { [unowned self] in
                requests[identifier] = request
                exchange.reply(.object(request))
            }
        }
        router.add(.listRequests) { [unowned self] exchange in
            exchange.reply(["requests": .array(requests.values.map { .object($0) })])
        }
        router.add(.cancelRequest) { [unowned self] exchange in
            exchange.reply(["cancelled": .integer(requests.removeValue(forKey: exchange["id"]) == nil ? 0 : 1)])
        }
        router.add(.cancelRequests) { [unowned self] exchange in
            exchange.reply(["cancelled": .integer(Int64(requests.count))])
            requests = [:]
        }
    }

    private var device: JSONOutput {
        [
            "conditions": .object(
                ConditionName.ofMachine.map {
                    let value = overrides[$0.word] ?? $0.text(in: DeviceConditions())
                    let isOverridden = overrides[$0.word] != nil
                    return JSONOutput.Member(
                        $0.word,
                        [
                            "value": .string(value), "source": "nobody", "overridden": .bool(isOverridden),
                            "since": nil,
                        ])
                })
        ]
    }

    private func addRuns() {
        router.add(.startRuns) { [unowned self] exchange in
            let identifiers = exchange.body.texts("identifiers") ?? ["com.example.good"]
            let started = identifiers.map { (start($0, payload: exchange.body.bytes("payload") ?? []), $0) }
            exchange.reply([
                "runs": .array(started.map { ["run": .string($0.description), "identifier": .string($1)] })
            ])
        }
        router.add(.simulateLaunch) { [unowned self] exchange throws(Control.Problem) in
            let identifier = exchange.body.text("identifier") ?? ""
            guard requests.removeValue(forKey: identifier) != nil else { throw .nothingScheduled(identifier) }
            let run = start(identifier, payload: [])
            exchange.reply(["run": .string(run.description), "identifier": .string(identifier)])
        }
        router.add(.simulateExpiration) { [unowned self] exchange throws(Control.Problem) in
            let identifier = exchange.body.text("identifier") ?? ""
            guard let run = waiting[identifier] else { throw .nothingRunning(identifier) }
            exchange.reply(["run": .string(run.description), "identifier": .string(identifier)])
            end(run, .expired, .simulated)
        }
        router.add(.cancelRun) { [unowned self] exchange throws(Control.Problem) in
            guard let run = ULID(exchange["id"]), let record = runs[run] else { throw .noSuchRun(exchange["id"]) }
            exchange.reply(["run": .string(run.description), "identifier": .string(record.identifier)])
            end(run, .cancelled, .userCancelled)
        }
        router.add(.showRun) { [unowned self] exchange throws(Control.Problem) in
            guard let run = ULID(exchange["id"]), let record = runs[run] else { throw .noSuchRun(exchange["id"]) }
            exchange.reply(RunDocument.json(record))
        }
        router.add(.listRuns) { [unowned self] exchange in
            exchange.reply(["runs": .array(runs.values.map(RunDocument.json))])
        }
    }

    /// Its name's last part is its fate: good, fails, waits.
    private func start(_ identifier: String, payload: [UInt8]) -> ULID {
        let now = Clock.moment().time
        var pool = RandomPool()
        let run = ULID(at: now, random: pool.bits())
        runs[run] = RunRecord(
            id: run, identifier: identifier, application: "com.example.app", attempt: 1, submittedAt: now,
            startedAt: now)
        let fate = identifier.split(separator: ".").last.map(String.init) ?? ""
        loop?.afterCommit.append { [unowned self] in
            let id = JSONOutput.string(run.description)
            send("run.started", ["run": id, "identifier": .string(identifier)])
            let text = "hello from \(identifier) with \(String(decoding: payload, as: UTF8.self))\n"
            send("run.output", ["run": id, "text": .string(text)])
            send(
                "run.progress",
                ["run": id, "identifier": .string(identifier), "completed": 30, "total": 90, "text": "third"])
            switch fate {
            case "waits": waiting[identifier] = run
            case "fails": end(run, .failed, nil)
            default: end(run, .succeeded, nil)
            }
        }
        return run
    }

    private func end(_ run: ULID, _ outcome: Outcome, _ reason: Reason?) {
        guard var record = runs[run], record.outcome == nil else { return }
        waiting[record.identifier] = nil
        record.outcome = outcome
        record.reason = reason
        record.endedAt = Clock.moment().time
        record.figures.wallTime = .milliseconds(12)
        runs[run] = record
        send("run.ended", RunDocument.json(record))
    }
}
