import Control
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

    @Test("is covered since the daemon's start alone, and keeps what a user has set until it is reset")
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
        try daemon.tell("pause", "org.taskhost.served.a", "--until", "30h")
        let paused = try daemon.ask(Report.self, "forecast", "--days", "2")
        // The one that came due during the pause, and those after it.
        #expect((18...19).contains(paused.runs.count), "\(paused)")
        try daemon.tell("pause")
        let held = try daemon.ask(Report.self, "forecast", "--days", "2")
        #expect(held.runs.isEmpty && held.waiting.map(\.identifier) == ["org.taskhost.served.a"], "\(held)")
        try daemon.tell("resume", "--all")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is made by the host: of its manifests, over a trace, and for those who may only read")
    func route() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.served", ["a": "stage_pass"])
        manifest.setTask("org.taskhost.served.a", "schedule", ["every": "1h"])
        manifest.setTask("org.taskhost.served.a", "requires", ["externalPower": true])
        try station.add(manifest)
        let daemon = try Daemon(station)
        let own = try daemon.ask(.get, "/v1/forecast?days=2&identifier=org.taskhost.served")
        let report = try JSONDecoder().decode(Report.self, from: Data(own.body))
        #expect(own.status == 200 && (47...48).contains(report.runs.count), "\(own)")
        let trace = #"{\"at\": \"+0s\", \"power\": \"battery\"}"#
        let played = try daemon.ask(.post, "/v1/forecast", body: #"{"trace": "\#(trace)"}"#)
        let held = try JSONDecoder().decode(Report.self, from: Data(played.body))
        #expect(held.runs.isEmpty && held.waiting.map(\.identifier) == ["org.taskhost.served.a"], "\(played)")
        let bad = try daemon.ask(.post, "/v1/forecast", body: #"{"trace": "{}", "days": 1}"#)
        #expect(bad.status == 400 && bad.text.contains("$.trace at line 1"), "\(bad)")
        let broken = try daemon.ask(.post, "/v1/forecast", body: #"{"manifests": [{"text": "{"}]}"#)
        #expect(broken.status == 400 && broken.text.contains("$.manifests[0].text"), "\(broken)")
        #expect(try daemon.ask(.get, "/v1/forecast?identifier=org.taskhost.servd").text.contains("did you mean"))
        #expect(try daemon.ask(.get, "/v1/forecast?days=367").status == 400)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "of many runs does not hold up the loop; more than sixteen at once are refused, and the end of the host ends them"
    )
    func apart() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.served", ["a": "stage_pass"])
        manifest.setTask("org.taskhost.served.a", "schedule", ["every": "1s"])
        try station.add(manifest)
        let daemon = try Daemon(station)
        let urls = (0..<20).map { _ in "http://localhost/v1/forecast?days=366" }
        let clients = try Program(
            "curl",
            [
                "-s", "--parallel", "--parallel-immediate", "--parallel-max", "20", "--unix-socket",
                station.state + "/control.sock", "-w", "\nended with %{http_code}\n",
            ] + urls)
        try clients.wait(forText: "ended with 503")
        struct About: Decodable { var longestTurn: Double }
        let about = try JSONDecoder().decode(About.self, from: Data(try daemon.ask(.get, "/v1/host").body))
        #expect(about.longestTurn < 1)
        #expect(try daemon.stop().status == 0)
        let output = try clients.finish().output
        #expect((1...4).contains(output.split(separator: "ended with 503").count - 1), "\(output.prefix(2000))")
    }
}
