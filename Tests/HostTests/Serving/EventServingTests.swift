import Foundation
import TestSupport
import Testing

/// Background fetch and remote notifications, from the manifest to the history.
@Suite("An application's events")
struct EventServingTests {
    private static let application = "org.taskhost.events"
    private static let fetch = application + ":fetch"
    private static let push = application + ":push"

    /// - Parameter script: what the fixture does, see events.c.
    private func station(_ script: String, _ change: (inout [String: Any]) -> Void = { _ in }) throws -> Station {
        let station = try Station()
        try add(script, to: station, change)
        return station
    }

    private func add(_ script: String, to station: Station, _ change: (inout [String: Any]) -> Void = { _ in }) throws {
        var members: [String: Any] = [
            "identifier": Self.application, "name": script,
            "library": try Places.built.get().appending(path: "libevents.so").path,
            "backgroundModes": ["fetch", "remote-notification"],
        ]
        change(&members)
        try station.add(ManifestText(members: members))
    }

    private struct Runs: Decodable {
        struct Run: Decodable {
            var identifier: String
            var outcome: String?
            var result: String?
            var run: String
        }
        var runs: [Run]
    }

    /// The runs of one event, oldest first.
    private func runs(_ daemon: Daemon, _ identifier: String) throws -> [Runs.Run] {
        try daemon.ask(Runs.self, "history", identifier).runs.reversed()
    }

    private struct Applications: Decodable {
        struct Application: Decodable {
            var fetchInterval: Double?
            var unansweredFetches: Int
            var notified: [String]
            var forceQuit: Bool
        }
        var application: Application
        var summary: String
        var fetch: String
        var push: String
    }

    private func why(_ daemon: Daemon) throws -> Applications {
        try daemon.ask(Applications.self, "why", Self.application)
    }

    @Test(
        "Fetches come by their interval, with the answers in the history",
        arguments: [(0, "succeeded", "newData"), (1, "succeeded", "noData"), (2, "failed", "failed")])
    func fetches(_ answer: Int, _ outcome: String, _ result: String) throws {
        let station = try station("0 \(answer)")
        try station.configure("limits", ["fetchInterval": "1s"])
        let daemon = try Daemon(station)
        try daemon.wait(for: "run.ended", Self.fetch, count: 3)
        let runs = try runs(daemon, Self.fetch).prefix(3)
        #expect(runs.allSatisfy { $0.outcome == outcome && $0.result == result }, "\(runs)")
        #expect(try daemon.tell("logs", runs[0].run) == "event 7 3 []\n")
        #expect(try why(daemon).application.unansweredFetches == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("One that is not answered ends the process and doubles the pause, over the host's death too")
    func unanswered() throws {
        let station = try station("3600 -1")
        var daemon = try Daemon(station)
        try daemon.waitUntil { try daemon.why(Self.fetch).pending }
        let gate = try #require(try daemon.why(Self.fetch).gates.first { $0.gate == "earliestBeginDate" })
        #expect(gate.holds && gate.found.hasSuffix(": the application asked for a fetch every 1 h"), "\(gate.found)")
        // Expired as if its time had ended: it has no grace.
        let launch = try station.start(["simulate", "launch", Self.fetch])
        try daemon.wait(for: "run.output", Self.fetch)
        _ = try station.start(["simulate", "expiration", Self.fetch]).finish()
        #expect(try launch.finish().status == 11)
        #expect(try runs(daemon, Self.fetch).map(\.outcome) == ["overran"])
        let record = try daemon.tell("history", "--application", Self.application)
        #expect(record.contains("0x2182bad4"), "\(record)")
        for _ in 0..<2 {
            let why = try why(daemon)
            #expect(why.application.fetchInterval == 3600 && why.application.unansweredFetches == 1)
            #expect(why.fetch.hasPrefix("asked for every 1 h; 1 in a row not answered; waiting: its date"), "\(why)")
            let gate = try #require(try daemon.why(Self.fetch).gates.first { $0.gate == "earliestBeginDate" })
            #expect(gate.found.hasSuffix("which doubled with a fetch that it did not answer"), "\(gate.found)")
            try daemon.kill()
            daemon = try Daemon(station)
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("A notification is delivered with its payload, at its rate; the newest takes the place of what waits")
    func notifications() throws {
        let station = try station("never 0")
        try station.configure("limits", ["notificationsPerHour": 2])
        var daemon = try Daemon(station)
        for number in 1...2 {
            try daemon.tell("notify", Self.application, "--payload-text", #"{ "n": \#(number) }"#)
            try daemon.wait(for: "run.ended", Self.push, count: number)
        }
        for number in 3...5 { try daemon.tell("notify", Self.application, "--payload-text", #"{"n":\#(number)}"#) }
        for _ in 0..<2 {
            let why = try daemon.why(Self.push)
            #expect(why.holding == ["earliestBeginDate"])
            let found = why.gates.first { $0.gate == "earliestBeginDate" }?.found
            #expect(found?.contains("2 an hour are delivered") == true, "\(why)")
            #expect(try self.why(daemon).application.notified.count == 2)
            #expect(try self.why(daemon).push.hasPrefix("one is pending; waiting: its date"))
            #expect(try daemon.pending().map(\.identifier) == [Self.push])
            try daemon.kill()
            daemon = try Daemon(station)
        }
        try daemon.tell("simulate", "launch", Self.push)
        try daemon.wait(for: "run.ended", Self.push)
        let runs = try runs(daemon, Self.push)
        #expect(runs.map(\.result) == ["newData", "newData", "newData"])
        let logs = try runs.map { try daemon.tell("logs", $0.run) }
        #expect(logs == [1, 2, 5].map { "event 8 3 [{\"n\":\($0)}]\n" })
        #expect(try daemon.stop().status == 0)
    }

    @Test("Quitting the application drops both, over a restart; opening it asks for a fresh fetch")
    func quit() throws {
        let station = try station("3600 0")
        try station.configure("limits", ["notificationsPerHour": 1])
        var daemon = try Daemon(station)
        try daemon.waitUntil { try daemon.why(Self.fetch).pending }
        try daemon.tell("notify", Self.application, "--payload-text", "{}")
        try daemon.wait(for: "run.ended", Self.push)
        try daemon.tell("notify", Self.application, "--payload-text", "{}")
        #expect(try daemon.pending().count == 2)
        try daemon.tell("quit", Self.application)
        for _ in 0..<2 {
            #expect(try daemon.pending().isEmpty)
            #expect(try why(daemon).summary.contains("the user quit it"))
            #expect(try daemon.tell("list").contains("notRunning, quit"))
            #expect(try daemon.why(Self.fetch).summary.contains("the user quit the application"))
            let refused = try station.start(["notify", Self.application, "--payload-text", "{}"])
                .finish()
            #expect(refused.status == 17 && refused.errors.contains("open it first"), "\(refused)")
            try daemon.kill()
            daemon = try Daemon(station)
        }
        try daemon.tell("foreground", Self.application)
        #expect(try daemon.pending().map(\.identifier) == [Self.fetch])
        try daemon.tell("deny", Self.application)
        #expect(try daemon.why(Self.fetch).holding == ["backgroundRefresh", "earliestBeginDate"])
        #expect(try why(daemon).summary.contains("background refresh is turned off"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("A task of the kind appRefresh takes the place of fetch, which one line of the journal says")
    func refresh() throws {
        let station = try station("60 0") {
            $0["tasks"] = ["\(Self.application).refresh": ["kind": "appRefresh", "handler": "events_work"]]
        }
        let daemon = try Daemon(station)
        // Launched once, since it has never run.
        try daemon.waitUntil { try daemon.tell("journal").contains("switches off") }
        for word in ["\(Self.application).refresh", Self.application] {
            #expect(try station.start(["run", word], manifests: false).finish().status == 0)
        }
        let journal = try daemon.tell("journal")
        #expect(journal.components(separatedBy: "switches off").count == 2, "\(journal)")
        #expect(journal.contains("it asked for background fetch, which a task of the kind appRefresh switches off"))
        #expect(try why(daemon).fetch == "its task \(Self.application).refresh of the kind appRefresh takes its place")
        #expect(try daemon.pending().isEmpty)
        // Without that task it has the fetch that it asked for.
        try add("60 0", to: station)
        try daemon.program.wait(forText: "read the manifests again")
        #expect(try why(daemon).fetch.hasPrefix("asked for every 15 m; waiting: its date"))
        #expect(try daemon.pending().map(\.identifier) == [Self.fetch])
        #expect(try daemon.stop().status == 0)
    }
}
