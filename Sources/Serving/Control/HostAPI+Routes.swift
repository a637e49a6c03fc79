import Control
import Host
import JSON
import Record
import Scheduling
import Setting
import TaskModel

// What answers each route of the table (`Route+Table`).
extension HostAPI {
    func addRoutes() {
        past.addRoutes(to: router)
        PageFile.addRoutes(to: router)
        addLookingRoutes()
        router.add(.metrics) { [unowned self] (exchange) throws(Problem) in try answerMetrics(exchange) }
        addRequestRoutes()
        addPauseRoutes()
        addRunRoutes()
        addClockRoute()
        addDeviceRoutes()
        addApplicationRoutes()
        addTransferRoutes()
        router.addStream(.watchEvents) { [unowned self] (query, stream) throws(Problem) in
            try open(stream, runs: query.texts("runs"), wantsUsage: query.bool("usage") ?? false)
        }
    }

    private func addLookingRoutes() {
        router.add(.host) { [unowned self] exchange in exchange.reply(hostDocument(for: exchange.peer)) }
        router.add(.fleet) { [unowned self] (exchange) throws(Problem) in
            guard let fleetView else { throw .noFleet }
            try fleetView.answer(exchange)
        }
        router.add(.words) { exchange in exchange.reply(WordsDocument.json) }
        router.add(.doctor) { [unowned self] (exchange) throws(Problem) in try examine(exchange) }
        router.add(.listTasks) { [unowned self] (exchange) throws(Problem) in
            let (after, limit) = (exchange.query.text("after"), exchange.query.integer("limit"))
            let recent = exchange.query.integer("recent")
            try answer(exchange, with: try listTasks(after: after, limit: limit, recent: recent))
        }
        router.add(.describeTask) { [unowned self] (exchange) throws(Problem) in
            exchange.reply(try description(of: exchange["id"]))
        }
        router.add(.explainTask) { [unowned self] (exchange) throws(Problem) in
            exchange.reply(try why(exchange["id"]))
        }
        router.add(.listWaits) { [unowned self] (exchange) throws(Problem) in try listWaits(exchange) }
        router.add(.listManifests) { [unowned self] (exchange) throws(Problem) in
            try answer(exchange, with: listManifests())
        }
        router.add(.forecast) { [unowned self] (exchange) throws(Problem) in try forecast(exchange) }
        router.add(.playForecast) { [unowned self] (exchange) throws(Problem) in try playForecast(exchange) }
        router.add(.skipTime) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try skipTime(exchange["id"]))
        }
        router.add(.copyRecord) { [unowned self] (exchange) throws(Problem) in try backup.begin(exchange) }
        router.add(.reload) { [unowned self] exchange in
            reload { [unowned self] report in
                guard let report else { return exchange.refuse(.conflict("the host is stopping; reload")) }
                afterCommit(
                    exchange,
                    .object([
                        "loaded": .integer(Int64(report.applications)),
                        "diagnostics": .array(report.sentences.map(JSONOutput.string)),
                    ]))
            }
        }
    }

    private func addRequestRoutes() {
        router.add(.listRequests) { [unowned self] (exchange) throws(Problem) in
            try answer(exchange, with: listRequests())
        }
        router.add(.submitRequest) { [unowned self] (exchange) throws(Problem) in
            let identifier = exchange.body.text("identifier") ?? ""
            let kind = host.installed.tasks[try task(identifier)].definition.kind
            var request = RequestDocument.read(exchange.body, identifier: identifier, kind: kind)
            request.trace = (exchange.body.text("traceparent") ?? exchange.request.traceparent).flatMap {
                TraceIdentity(traceparent: $0)
            }
            afterCommit(exchange, try submit(request))
        }
        router.add(.cancelRequest) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try cancelRequest(exchange["id"]))
        }
        router.add(.cancelRequests) { [unowned self] exchange in afterCommit(exchange, cancelRequests()) }
    }

    private func addRunRoutes() {
        router.add(.startRuns) { [unowned self] (exchange) throws(Problem) in
            let identifiers = exchange.body.texts("identifiers")
            let settings = exchange.body["settings"]?.oneLine(of: exchange.request.body) ?? []
            guard settings.count <= Route.settingsBytes else {
                throw .meaningless(
                    "$.settings", found: "settings of \(settings.count) bytes",
                    expected: "at most \(Route.settingsBytes) bytes as one line of text; put more into a file that the "
                        + "manifest grants, and name that")
            }
            let wish = RunWish(
                identifiers: identifiers, payload: exchange.body.bytes("payload") ?? [], settings: settings,
                attempt: exchange.body.integer("attempt").flatMap { UInt32(exactly: $0) } ?? 1)
            afterCommit(exchange, try run(wish))
        }
        router.add(.recordRun) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try record(exchange.body["run"]))
        }
        router.add(.listActive) { [unowned self] (exchange) throws(Problem) in
            try answer(exchange, with: listActive())
        }
        router.add(.listProgress) { [unowned self] exchange in exchange.reply(progressDocument()) }
        router.add(.cancelRun) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try cancelRun(exchange["id"]))
        }
        router.add(.retryRun) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try retry(exchange["id"]))
        }
        router.add(.simulateLaunch) { [unowned self] exchange in
            simulateLaunch(exchange.body.text("identifier") ?? "") { [unowned self] result in
                switch result {
                case .success(let document): afterCommit(exchange, document)
                case .failure(let problem): exchange.refuse(problem)
                }
            }
        }
        router.add(.simulateExpiration) { [unowned self] (exchange) throws(Problem) in
            afterCommit(exchange, try simulateExpiration(exchange.body.text("identifier") ?? ""))
        }
        router.add(.simulateFault) { [unowned self] (exchange) throws(Problem) in
            let fault = exchange.body.text("fault").flatMap(SimulatedFault.init(rawValue:))
            afterCommit(exchange, try simulate(fault ?? .crash, exchange.body.text("identifier") ?? ""))
        }
    }

    private func addClockRoute() {
        router.add(.advanceClock) { [unowned self] (exchange) throws(Problem) in try moveClock(exchange) }
    }

    private func addDeviceRoutes() {
        router.add(.showDevice) { [unowned self] exchange in exchange.reply(deviceDocument) }
        router.add(.overrideDevice) { [unowned self] (exchange) throws(Problem) in
            let values = exchange.body.names.compactMap { name in
                ConditionName(name).flatMap { condition in exchange.body.text(name).map { (condition, $0) } }
            }
            afterCommit(exchange, try setDevice(values))
        }
        router.add(.resetDevice) { [unowned self] exchange in afterCommit(exchange, resetDevice()) }
    }

    private func addApplicationRoutes() {
        router.add(.listApplications) { [unowned self] (exchange) throws(Problem) in
            try answer(exchange, with: listApplications())
        }
        router.add(.explainApplication) { [unowned self] (exchange) throws(Problem) in
            exchange.reply(try whyApplication(exchange["id"]))
        }
        router.add(.notifyApplication) { [unowned self] (exchange) throws(Problem) in
            let payload = exchange.body["payload"]?.oneLine(of: exchange.request.body) ?? []
            afterCommit(exchange, try notify(exchange["id"], payload))
        }
        let steps: [(Route, (Applications, ApplicationIndex) -> Void)] = [
            (.bringToForeground, { $0.foreground($1) }), (.sendToBackground, { $0.background($1) }),
            (.liftQuarantine, { $0.liftQuarantine($1) }),
            (.denyRefresh, { $0.setRefreshDenied(true, $1) }), (.allowRefresh, { $0.setRefreshDenied(false, $1) }),
        ]
        router.add(.quitApplication) { [unowned self] (exchange) throws(Problem) in
            quit(try application(exchange["id"]), exchange)
        }
        for (route, step) in steps {
            router.add(route) { [unowned self] (exchange) throws(Problem) in
                let application = try application(exchange["id"])
                step(host.applications, application)
                afterCommit(exchange, applicationDocument(application))
            }
        }
    }

    /// Answers when the document's facts are on disk.
    func afterCommit(_ exchange: Exchange, _ document: JSONOutput) {
        host.afterCommit { exchange.reply(document) }
    }

    /// Sends the client the state of its runs so far, then all events.
    private func open(_ stream: any ControlStream, runs: [String]?, wantsUsage: Bool) throws(Problem) {
        let records = try (runs ?? []).map { (text) throws(Problem) in try past.run(text) }
        let isKnown = hub.add(
            stream, runs: runs.map { _ in Set(records.map(\.id.description)) }, wantsUsage: wantsUsage)
        guard !isKnown else { return }
        // Facts that are not recorded yet follow as events.
        host.afterCommit { [unowned self] in
            for record in records {
                guard var now = host.record(of: record.id) else { continue }
                // An end that is not on disk yet follows as an event.
                if record.outcome == nil, host.isRecordLate { now.outcome = nil }
                hub.replay(now, output: (try? host.history.output(of: record.id).bytes) ?? [], to: stream)
            }
        }
    }
}
