import Foundation
import TestSupport
import Testing

/// Traces of runs for a collector: OTLP over HTTP in JSON.
@Suite("Traces of a daemon's runs")
struct TraceTests {
    private static let name = "com.example.traced"

    private struct Value: Decodable {
        var stringValue: String?
        var intValue: String?
    }
    private struct Attribute: Decodable {
        var key: String
        var value: Value
    }
    private struct Span: Decodable {
        struct Status: Decodable {
            var code: Int
            var message: String?
        }
        struct Event: Decodable {
            var name: String
            var timeUnixNano: String
            var attributes: [Attribute]
        }
        struct Link: Decodable {
            var traceId: String
            var spanId: String
        }
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
        var kind: Int
        var startTimeUnixNano: String
        var endTimeUnixNano: String
        var attributes: [Attribute]?
        var events: [Event]?
        var links: [Link]?
        var status: Status?

        var start: Int64 { Int64(startTimeUnixNano) ?? 0 }
        var end: Int64 { Int64(endTimeUnixNano) ?? 0 }
        subscript(key: String) -> String? {
            attributes?.first { $0.key == key }.flatMap { $0.value.stringValue ?? $0.value.intValue }
        }
    }
    private struct Batch: Decodable {
        struct ResourceSpans: Decodable {
            struct Resource: Decodable { var attributes: [Attribute] }
            struct ScopeSpans: Decodable { var spans: [Span] }
            var resource: Resource
            var scopeSpans: [ScopeSpans]
        }
        var resourceSpans: [ResourceSpans]
        var spans: [Span] { resourceSpans.flatMap { $0.scopeSpans.flatMap(\.spans) } }
    }

    /// What has come when these many runs have.
    private func batches(_ receiver: Receiver, runs: Int) throws -> [Batch] {
        for count in 1... {
            let batches = try batches(try receiver.wait(for: count))
            if batches.flatMap(\.spans).count(where: { $0.kind == 5 }) >= runs { return batches }
        }
        return []
    }

    private func batches(_ requests: [Receiver.Request]) throws -> [Batch] {
        try requests.map { request in
            #expect(request.path == "/v1/traces" && request.type == "application/json")
            return try JSONDecoder().decode(Batch.self, from: request.body)
        }
    }

    private func station(_ scripts: [String: String], _ more: [String: Any] = [:]) throws -> Station {
        let station = try Station()
        let tasks = scripts.map { name, script -> (String, [String: Any]) in
            let task: [String: Any] = ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]]]
            return ("\(Self.name).\(name)", task.merging(more) { $1 })
        }
        try station.add(
            ManifestText(members: [
                "identifier": Self.name, "tasks": Dictionary(uniqueKeysWithValues: tasks),
            ]))
        return station
    }

    private func run(_ station: Station, _ name: String) throws {
        _ = try station.start(["run", "\(Self.name).\(name)"], manifests: false).finish()
    }

    /// Nanoseconds since 1970, in whole milliseconds as documents have them.
    private func moment(_ text: String?) throws -> Int64 {
        let date = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(try #require(text))
        return Int64((date.timeIntervalSince1970 * 1000).rounded()) * 1_000_000
    }

    private func isSame(_ nanoseconds: Int64, _ text: String?) throws -> Bool {
        abs(nanoseconds - (try moment(text))) <= 1_000_000
    }

    @Test("have a root and its parts for each run, whose times are those of the record")
    func spans() throws {
        let receiver = try Receiver("200")
        let station = try station(
            ["well": "exit 0", "bad": "exit 3", "late": "trap 'exit 1' TERM; while :; do :; done"],
            ["budget": ["wallClock": "60s", "grace": "57s"]])
        try station.configure("telemetry", ["endpoint": receiver.address])
        let daemon = try Daemon(
            station,
            environment: [
                "OTEL_SERVICE_NAME": "night shift", "OTEL_RESOURCE_ATTRIBUTES": "team=a%20b, site = x",
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
            ])
        for name in ["well", "bad", "late"] { try run(station, name) }
        let runs = try station.history()
        let batches = try batches(receiver, runs: 3)
        #expect(try daemon.stop().status == 0)
        let resource = try #require(batches.first?.resourceSpans.first?.resource)
        func attribute(_ key: String) -> String? { resource.attributes.first { $0.key == key }?.value.stringValue }
        #expect(attribute("service.name") == "night shift" && attribute("team") == "a b" && attribute("site") == "x")
        #expect(attribute("os.type") == "linux" && attribute("service.instance.id")?.isEmpty == false)
        let spans = batches.flatMap(\.spans)
        #expect(Set(spans.map { $0.traceId + $0.spanId }).count == spans.count)
        #expect(runs.count == 3)
        for run in runs {
            let root = try #require(spans.first { $0["faas.invocation_id"] == run.run })
            #expect(root.name == run.identifier && root.kind == 5 && root.parentSpanId == nil)
            #expect(root.traceId.count == 32 && root.spanId.count == 16)
            let parts = spans.filter { $0.traceId == root.traceId && $0.parentSpanId == root.spanId }
            let isLate = run.identifier.hasSuffix("late")
            #expect(parts.map(\.name) == (isLate ? ["launch", "run", "grace"] : ["launch", "run"]))
            #expect(try isSame(root.start, run.submittedAt) && isSame(root.end, run.endedAt))
            let (launch, work, last) = (parts[0], parts[1], parts[parts.count - 1])
            #expect(launch.start >= root.start && launch.end == work.start && last.end == root.end)
            #expect(try isSame(work.start, run.startedAt))
            if isLate { #expect(try work.end == last.start && isSame(work.end, run.expiredAt)) }
            let outcome = try #require(run.outcome)
            #expect(root["taskhost.outcome"] == outcome && root["taskhost.attempt"] == "1")
            #expect(root["code.function.name"] == "/bin/sh" && root["taskhost.application"] == Self.name)
            #expect(root["faas.trigger"] == "other" && Int(root["process.pid"] ?? "") != nil)
            #expect(root.status?.code == (outcome == "succeeded" ? 1 : 2))
            #expect(root.status?.message?.hasPrefix(outcome) == (outcome == "succeeded" ? nil : true))
        }
        #expect(Set(runs.map(\.outcome)) == ["succeeded", "failed", "expired"])
    }

    @Test("have the parent of the request, and a link from each attempt to the one before")
    func relations() throws {
        let receiver = try Receiver("503", "200")
        let station = try station(["bad": "echo $TRACEPARENT; exit 3"], ["retry": ["attempts": 2, "backoff": "0s"]])
        let daemon = try Daemon(station, environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": receiver.address + "/"])
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let command = try Command.run(
            "curl",
            [
                "-sSf", "--unix-socket", station.state + "/control.sock", "-H", "traceparent: \(parent)",
                "-H", "Content-Type: application/json", "-d", "{\"identifier\": \"\(Self.name).bad\"}",
                "http://localhost/v1/requests",
            ])
        #expect(command.succeeded, "\(command)")
        try daemon.waitUntil { try station.history().count { $0.outcome == "failed" } == 2 }
        // The first answer asks for another try.
        let requests = try receiver.wait(for: 2)
        #expect(requests[0].body == requests[1].body)
        let spans = try batches([requests[1]]).flatMap(\.spans)
        let roots = spans.filter { $0.kind == 5 }
        #expect(roots.count == 2 && roots.allSatisfy { $0.traceId == "0af7651916cd43dd8448eb211c80319c" })
        #expect(roots.allSatisfy { $0.parentSpanId == "b7ad6b7169203331" })
        #expect(roots.map { $0["taskhost.attempt"] } == ["1", "2"])
        for (root, run) in zip(roots, try station.history()) {
            #expect(try station.logs(run).text == "00-\(root.traceId)-\(root.spanId)-01\n")
        }
        #expect(roots[0].links == nil && roots[1].links?.map(\.spanId) == [roots[0].spanId])
        #expect(try daemon.stop().status == 0)
    }

    @Test("have a context that a library's handler receives, and none without a collector", arguments: [true, false])
    func library(_ isTraced: Bool) throws {
        let receiver = try Receiver("200")
        let station = try Station()
        let task = "\(Self.name).task"
        try station.add(
            ManifestText(members: [
                "identifier": Self.name, "library": try Places.built.get().appending(path: "libtraced.so").path,
                "tasks": [task: ["kind": "processing", "handler": "tell_trace"]],
            ]))
        if isTraced { try station.configure("telemetry", ["endpoint": receiver.address]) }
        let daemon = try Daemon(station)
        // The second run's state in the worker is the first one's.
        for count in 1...2 {
            try run(station, "task")
            try daemon.wait(for: "run.ended", task, count: count)
        }
        let texts = try station.history().map { try station.logs($0).text }
        if isTraced {
            let roots = try batches(receiver, runs: 2).flatMap(\.spans).filter { $0.kind == 5 }
            #expect(Set(texts) == Set(roots.map { "00-\($0.traceId)-\($0.spanId)-01 0\n" }) && Set(texts).count == 2)
        } else {
            #expect(texts == ["none 0\n", "none 0\n"])
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("are lost, counted and no reason to wait while the collector is dead, slow or refuses")
    func badCollectors() throws {
        let gone = try Receiver("200")
        try gone.stop()
        let answers = [try Receiver("hang"), try Receiver("500")]
        for receiver in [gone] + answers + [try Receiver("drip")] {
            let station = try station(["well": "exit 0"])
            try station.configure("telemetry", ["endpoint": receiver.address])
            let daemon = try Daemon(station)
            for _ in 0..<5 { try run(station, "well") }
            #expect(try station.history().map(\.outcome) == Array(repeating: "succeeded", count: 5))
            // The host's end waits five seconds for a collector, in which a slow machine may not even have called it.
            if answers.contains(where: { $0 === receiver }) { _ = try receiver.wait(for: 1) }
            #expect(try daemon.stop().status == 0)
        }
        for receiver in answers { #expect(try receiver.wait(for: 1).count == 1) }
    }

    @Test("are sent in batches, and are lost beyond those that may wait")
    func bounded() throws {
        let receiver = try Receiver("hang")
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        try station.configure("telemetry", ["endpoint": receiver.address])
        let daemon = try Daemon(station)
        // Each has two spans at least: one batch is on its way, and 2,048 wait.
        let names = Array(repeating: noop, count: 100)
        let body = try JSONSerialization.data(withJSONObject: ["identifiers": names])
        for turn in 1...14 {
            let command = try Command.run(
                "curl",
                [
                    "-sSf", "--unix-socket", station.state + "/control.sock", "-H", "Content-Type: application/json",
                    "-d", String(decoding: body, as: UTF8.self), "http://localhost/v1/runs",
                ])
            #expect(command.succeeded, "\(command)")
            try daemon.wait(for: "run.ended", noop, count: turn * 100)
        }
        #expect(try batches([try receiver.wait(for: 1)[0]]).flatMap(\.spans).count == 512)
        #expect(try figure(station, "taskhost_outgoing_waiting", ["kind": "spans"]) == 512)
        let dropped = try figure(station, "taskhost_outgoing_total", ["kind": "spans", "result": "dropped"])
        #expect(dropped ?? 0 >= 2 * 1400 - 512 - 2048)
        #expect(try daemon.stop().status == 0)
    }

    private func figure(_ station: Station, _ name: String, _ labels: [String: String]) throws -> Double? {
        let command = try Command.run(
            "curl", ["-sSf", "--unix-socket", station.state + "/control.sock", "http://localhost/metrics"])
        return try Exposition(command.output, isOpenMetrics: false).value(name, labels)
    }

    @Test("that are refused are not sent again, and the log says so once")
    func refused() throws {
        let receiver = try Receiver("500")
        let station = try station(["well": "exit 0"])
        try station.configure("telemetry", ["endpoint": receiver.address])
        let daemon = try Daemon(station)
        try run(station, "well")
        try daemon.program.wait(forText: "spans are lost; \(receiver.address): answered with status 500")
        let name = "taskhost_outgoing_total"
        #expect(try figure(station, name, ["kind": "spans", "result": "dropped"]) == 3)
        #expect(try figure(station, name, ["kind": "spans", "result": "delivered"]) == 0)
        #expect(try receiver.wait(for: 1).count == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("are off without a collector, with one that is none, and where OpenTelemetry is switched off")
    func off() throws {
        let receiver = try Receiver("200")
        let variables = [
            [:], ["OTEL_EXPORTER_OTLP_ENDPOINT": ""], ["OTEL_EXPORTER_OTLP_ENDPOINT": "collector"],
            ["OTEL_EXPORTER_OTLP_ENDPOINT": receiver.address, "OTEL_SDK_DISABLED": "True"],
        ]
        for variables in variables {
            let station = try station(["well": "exit 0"])
            let daemon = try Daemon(station, environment: variables)
            try run(station, "well")
            let result = try daemon.stop()
            #expect(result.status == 0)
            let isBad = variables["OTEL_EXPORTER_OTLP_ENDPOINT"] == "collector"
            #expect(result.errors.contains("traces are off; OTEL_EXPORTER_OTLP_ENDPOINT") == isBad)
        }
        // It has received nothing so far.
        _ = try Command.run("curl", ["-sS", "-d", "{}", receiver.address + "/last"])
        #expect(try receiver.wait(for: 1).map(\.path) == ["/last"])
    }
}
