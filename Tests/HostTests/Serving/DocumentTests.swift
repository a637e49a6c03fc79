import Control
import Foundation
import JSON
import TaskModel
import TestSupport
import Testing

@Suite("What a daemon answers")
struct DocumentTests {
    private struct Asked {
        var route: Route
        var path: String
        var body: String?

        init(_ route: Route, _ id: String = "", query: String = "", body: String? = nil) {
            self.route = route
            path = route.pattern.description.replacing("{id}", with: id) + query
            self.body = body
        }
    }

    private static let crashing = "org.taskhost.hostile.crash-abort"
    private static let notified = "org.taskhost.hostile.fetch-unanswered"
    private static let echo = "org.taskhost.fixtures.echo"
    private static let events = "org.taskhost.events"

    /// A daemon with something of everything: a run with progress, one that waits behind it, a request with a date, a
    /// scheduled one, an application in quarantine and one that was quit, overrides, and a past.
    private func busy() throws -> Daemon {
        let application = try Conformance(
            ["r1", "p1", "p2", "job.*"],
            steps: ["job.1": ["progress 1 2", "title Export half", "expires complete"], "p1": ["expires complete"]])
        try application.station.configure("scheduling", ["continued": 1, "quota": ["cpuTime": "10m"]])
        try application.station.add(fixture: "hostile.crash-abort")
        try application.station.add(fixture: "fixtures.echo")
        try application.station.add(fixture: "hostile.fetch-unanswered")
        var scheduled = try ManifestText(stage: "org.taskhost.daily", ["pass": "stage_pass"])
        scheduled.setTask("org.taskhost.daily.pass", "schedule", ["every": "1d"])
        try application.station.add(scheduled)
        try application.station.add(
            ManifestText(members: [
                "identifier": Self.events, "name": "3600 0", "backgroundModes": ["fetch", "remote-notification"],
                "permissions": ["network": ["loopback:9"]],
                "library": try Places.built.get().appending(path: "libevents.so").path,
            ]))
        let daemon = try application.serve("--faults")
        try daemon.tell("foreground", Conformance.application)
        try daemon.work(
            "register job.1", "register job.2", "submit job.1", "submit job.2 title=Second subtitle=waits",
            "submit r1 in=3600", "submit p2 power in=60", "complete")
        try daemon.wait(for: "run.progress", "half")
        for task in [Self.crashing, Self.crashing, Self.crashing, Self.echo] {
            _ = try daemon.station.start(["run", task], manifests: false).finish()
        }
        try daemon.tell("quit", Self.echo)
        try daemon.tell("device", "set", "power=battery", "battery=40")
        return daemon
    }

    private func fits(_ asked: Asked, _ daemon: Daemon) throws {
        let reply = try daemon.ask(asked.route.method, asked.path, body: asked.body)
        #expect(reply.status == asked.route.status, "\(asked.route.name): \(reply)")
        if case .textOrJSON(let parameter, _) = asked.route.reply, !asked.path.contains("?\(parameter)=") { return }
        guard let schema = asked.route.schema else { return }
        let faults = try schema.faults(in: reply.document())
        #expect(faults.isEmpty, "\(asked.route.name): \(faults)\n\(reply.text)")
    }

    private func refuses(_ asked: Asked, _ daemon: Daemon) throws {
        let reply = try daemon.ask(asked.route.method, asked.path, body: asked.body)
        #expect(reply.status >= 400 && asked.route.problems.contains(reply.status), "\(asked.route.name): \(reply)")
        let faults = try Schema.problem.faults(in: reply.document())
        #expect(faults.isEmpty, "\(asked.route.name): \(faults)\n\(reply.text)")
    }

    /// A run that another host tells, of an application that is this one's too.
    private func own(_ outcome: Outcome) -> String {
        var run = RunRecord(
            id: ULID(at: Timestamp(nanoseconds: 0), random: (high: 1, low: 2)), identifier: "com.ex.app.p1",
            application: "com.ex.app", attempt: 1, outcome: outcome, submittedAt: Timestamp(nanoseconds: 0))
        run.endedAt = Timestamp(nanoseconds: 1)
        let document = Control.RunDocument.detailed(run, kept: 0, dropped: 0, payload: nil, settings: nil)
        return JSONOutput.object([.init("run", document)]).text()
    }

    /// That run, as if a host of its own had ended it.
    private func elsewhere(_ run: String, _ daemon: Daemon) throws -> String {
        let text = try daemon.ask(.get, "/v1/runs/\(run)").text
        return #"{"run":\#(text)}"#.replacing(run, with: "01ARZ3NDEKTSV4RRFFQ69G5FAV")
            .replacing(Self.crashing, with: "local.commands")
    }

    @Test("fits the schema of its route, whatever runs")
    func everything() throws {
        let daemon = try busy()
        let listed = try #require(try daemon.ask(.get, "/v1/applications").document()["applications"]?.array)
        func application(_ name: String) -> JSONValue? { listed.first { $0["identifier"]?.string == name } }
        #expect(application("org.taskhost.hostile.crash-abort")?["quarantinedUntil"]?.string != nil)
        #expect(application(Self.echo)?["forceQuit"]?.bool == true)
        #expect(try daemon.ask(.get, "/v1/progress").document()["runs"]?.array?.first?["title"]?.string == "Export")

        let (job, p1) = (Conformance.identifier("job.1"), Conformance.identifier("p1"))
        let run = try #require(try daemon.runs("job.1").last).run
        let crash = try #require(try daemon.station.history().first { $0.identifier == Self.crashing }).run
        let looks =
            [
                Asked(.host), Asked(.doctor), Asked(.listTasks), Asked(.listRequests), Asked(.listRuns),
                Asked(.showRun, run),
                Asked(.listRuns, query: "?identifier=\(job)&limit=5"), Asked(.showRun, crash), Asked(.readLog, crash),
                Asked(.readPayload, crash),
                Asked(.readLog, crash, query: "?offset=0"),
                Asked(.listProgress), Asked(.listActive), Asked(.listTasks, query: "?recent=5&limit=3"),
                Asked(.listLengths), Asked(.showUsage), Asked(.showUsage, query: "?since=2020-01-01T00:00:00Z"),
                Asked(.listChanges), Asked(.listRuns, query: "?sort=wallTime&limit=3&unlike=true"),
                Asked(.listRuns, query: "?sort=peakMemory"), Asked(.showDevice), Asked(.readDeviceLog),
                Asked(.listApplications), Asked(.readJournal), Asked(.listTerminations),
                Asked(.listTerminations, query: "?application=\(Self.echo)&limit=5"),
                Asked(.listRuns, query: "?application=\(Self.echo)"),
                Asked(.listTransfers), Asked(.listTransfers, query: "?application=\(Self.events)&open=true"),
                Asked(.forecast), Asked(.forecast, query: "?days=2&identifier=org.taskhost.daily"),
                Asked(
                    .playForecast, body: #"{"trace": "{\"at\": \"+1h\", \"power\": \"battery\"}", "days": 3}"#),
                Asked(.openAPI), Asked(.metrics), Asked(.listManifests), Asked(.listWaits, p1), Asked(.listWaits, job),
                Asked(.listWaits, Self.crashing, query: "?since=2020-01-01T00:00:00Z"), Asked(.page),
                Asked(.pageScript), Asked(.pageModule, "now.js"), Asked(.words),
                Asked(.pageStyle), Asked(.pageIcon), Asked(.explainApplication, Self.echo),
                Asked(.explainApplication, Self.notified),
            ]
            + ["r1", "p1", "p2", "job.1", "job.2", "work"].flatMap { name in
                [Route.explainTask, .describeTask].map { Asked($0, Conformance.identifier(name)) }
            }
            + [Self.crashing, "org.taskhost.daily.pass", Self.events + ":fetch"].map { Asked(.describeTask, $0) }
            + [Self.crashing, Self.echo, "org.taskhost.daily.pass", Self.events + ":fetch", Self.events + ":push"]
            .map { Asked(.explainTask, $0) }
            + [Self.echo, Self.events, Conformance.application].map { Asked(.explainApplication, $0) }
        for asked in looks { try fits(asked, daemon) }

        let one = #"{"identifier":"\#(p1)"}"#
        let acts = [
            Asked(.submitRequest, body: #"{"identifier":"\#(p1)","requiresExternalPower":true,"payload":"aGk="}"#),
            Asked(.explainTask, p1), Asked(.simulateLaunch, body: one), Asked(.simulateExpiration, body: one),
            Asked(.simulateFault, body: #"{"identifier":"org.taskhost.daily.pass","fault":"crash"}"#),
            Asked(.startRuns, body: #"{"identifiers":["\#(Self.echo)"],"payload":"aGk=","settings":{}}"#),
            Asked(.overrideDevice, body: #"{"power":"external","network":"none"}"#), Asked(.resetDevice),
            Asked(.recordRun, body: try elsewhere(crash, daemon)), Asked(.retryRun, crash),
            Asked(.liftQuarantine, Self.crashing), Asked(.cancelRun, run),
            Asked(.cancelRequest, p1),
            Asked(.skipTime, "org.taskhost.daily.pass"),
            Asked(.pause, body: #"{"until":"2099-01-01T00:00:00Z"}"#), Asked(.listPauses),
            Asked(.pause, body: #"{"identifier":"org.taskhost.daily.pass","of":"task"}"#),
            Asked(.explainTask, "org.taskhost.daily.pass"), Asked(.resume, body: #"{"everything":true}"#),
            Asked(.pause, body: one), Asked(.resume, body: one),
            Asked(.notifyApplication, Self.events, body: #"{"payload":{"aps":{"content-available":1}}}"#),
            Asked(
                .addTransfer,
                body: #"{"application":"\#(Self.events)","url":"http://127.0.0.1:9/a?b","headers":{"a":"b"}}"#),
            Asked(.pauseTransfer, "1"), Asked(.showTransfer, "1"), Asked(.listTransfers), Asked(.resumeTransfer, "1"),
            Asked(.cancelTransfer, "1"), Asked(.listTransfers, query: "?open=true"),
            Asked(.bringToForeground, Self.echo), Asked(.sendToBackground, Self.echo),
            Asked(.quitApplication, Self.echo),
            Asked(.notifyApplication, Self.notified, body: #"{"payload":{"aps":{"content-available":1}}}"#),
            Asked(.denyRefresh, Self.echo), Asked(.allowRefresh, Self.echo), Asked(.reload), Asked(.cancelRequests),
        ]
        for asked in acts { try fits(asked, daemon) }
        for asked in looks { try fits(asked, daemon) }

        let named = Set((looks + acts).map(\.route.name))
        #expect(
            Set(Route.all.map(\.name)).subtracting(named) == [
                // The last one with a fleet (FleetViewTests).
                Route.watchEvents.name, Route.copyRecord.name, Route.advanceClock.name, Route.fleet.name,
            ],
            "every route")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is a problem that fits its schema where it refuses")
    func problems() throws {
        let application = try Conformance(["p1"])
        let daemon = try application.serve()
        let unknown = #"{"identifier":"com.ex.app.unknown"}"#
        let one = #"{"identifier":"com.ex.app.p1"}"#
        let run = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for asked in [
            Asked(.showTransfer, "7"), Asked(.pauseTransfer, "x"), Asked(.resumeTransfer, "7"),
            Asked(.cancelTransfer, "7"),
            Asked(.addTransfer, body: #"{"application":"com.ex.unknown","url":"http://a.example/"}"#),
            Asked(.explainTask, "com.ex.app.unknown"), Asked(.describeTask, "com.ex.app.unknown"),
            Asked(.skipTime, "com.ex.app.unknown"),
            Asked(.skipTime, "com.ex.app.p1"), Asked(.submitRequest, body: unknown), Asked(.showRun, run),
            Asked(.fleet),
            Asked(.readLog, run), Asked(.cancelRun, run), Asked(.retryRun, run),
            Asked(.recordRun, body: own(.failed)),
            Asked(.simulateLaunch, body: unknown),
            Asked(.simulateLaunch, body: one), Asked(.simulateExpiration, body: one),
            Asked(.simulateFault, body: #"{"identifier":"com.ex.app.p1","fault":"crash"}"#),
            Asked(.advanceClock, body: #"{"seconds":1}"#),
            Asked(
                .startRuns,
                body:
                    #"{"identifiers":["com.ex.app.unknown"]}"#), Asked(.bringToForeground, "com.ex.unknown"),
            Asked(.sendToBackground, "com.ex.unknown"), Asked(.quitApplication, "com.ex.unknown"),
            Asked(.liftQuarantine, "com.ex.unknown"), Asked(.denyRefresh, "com.ex.unknown"),
            Asked(.allowRefresh, "com.ex.unknown"),
        ] { try refuses(asked, daemon) }
        #expect(try daemon.stop().status == 0)
    }
}
