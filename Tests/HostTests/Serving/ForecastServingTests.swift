import Foundation
import TestSupport
import Testing

@Suite("A forecast beside a daemon")
struct ForecastServingTests {
    private struct Report: Decodable {
        struct Run: Decodable {
            var at: String
            var identifier: String
        }
        struct Waiting: Decodable { var identifier: String }
        var from: String
        var conditions: String
        var covered: Double
        var overridden: [String: String]
        var runs: [Run]
        var waiting: [Waiting]

        var identifiers: Set<String> { Set(runs.map(\.identifier) + waiting.map(\.identifier)) }
    }

    private func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    }

    @Test("plays the daemon's manifests, wherever it is asked from, unless others are named")
    func manifests() throws {
        let station = try Station()
        try station.add(ManifestText(stage: "org.taskhost.served", ["a": "stage_pass"]))
        let others = try Station()
        try others.add(ManifestText(stage: "org.taskhost.other", ["b": "stage_pass"]))
        let daemon = try Daemon(station)
        let report = try daemon.ask(Report.self, "forecast")
        #expect(report.identifiers == ["org.taskhost.served.a"], "\(report)")
        let named = try daemon.ask(Report.self, "forecast", "--manifests", others.manifestFolder.path)
        #expect(named.identifiers == ["org.taskhost.other.b"], "\(named)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("knows the pace of a handler that asks for itself again")
    func pace() throws {
        let application = try Conformance(["p1"], steps: ["p1": ["submit p1", "complete"]])
        let daemon = try application.serve()
        let task = Conformance.identifier("p1")
        try daemon.tell("submit", task)
        let ended = try daemon.ends("p1")
        let report = try daemon.ask(Report.self, "forecast")
        let next = try #require(report.runs.first { $0.identifier == task })
        let distance = try date(next.at).timeIntervalSince(date(try #require(ended.startedAt)))
        // From the start that the scheduler counts from, which comes a little before that of the handler.
        #expect((59..<61).contains(distance), "\(distance) s")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is covered since the daemon's start alone, and holds what a person has set until it is reset")
    func overrides() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.served", ["a": "stage_pass"])
        manifest.setTask("org.taskhost.served.a", "schedule", ["every": "1h"])
        manifest.setTask("org.taskhost.served.a", "requires", ["externalPower": true, "idle": false])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("device", "set", "power=battery", "network=none", "cpu=high")
        let set = try daemon.ask(Report.self, "forecast")
        #expect(set.runs.isEmpty && set.overridden.count == 3, "\(set)")
        try daemon.tell("device", "reset")
        let report = try daemon.ask(Report.self, "forecast", "--days", "2")
        #expect((47...48).contains(report.runs.count) && report.overridden.isEmpty, "\(report)")
        #expect(report.covered < 60)
        #expect(try daemon.stop().status == 0)
    }
}
