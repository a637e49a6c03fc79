import Foundation
import TestSupport
import Testing

@Suite("An application that is terminated")
struct CarelessTests {
    private static let application = "org.taskhost.fixtures.careless"

    private struct Past: Decodable {
        struct Entry: Decodable {
            struct Assertion: Decodable {
                struct Frame: Decodable {
                    var symbol: String?
                }
                var name: String?
                var age: Double
                var frames: [Frame]
            }
            var kind: String
            var identifier: String?
            var outcome: String?
            var reason: String?
            var code: String?
            var callback: String?
            var took: Double?
            var assertionCount: Int?
            var assertions: [Assertion]?
        }
        var entries: [Entry]
    }

    private func station(_ limits: [String: String]) throws -> Station {
        let station = try Station()
        try station.configure("limits", limits)
        try station.add(fixture: "fixtures.careless")
        return station
    }

    private func past(_ station: Station) throws -> [Past.Entry] {
        try station.ask(Past.self, "history", "--application", Self.application).entries
    }

    private func run(_ task: String, _ station: Station) throws {
        let run = try station.start(["run", "\(Self.application).\(task)"], manifests: false)
        #expect(try run.finish().succeeded)
    }

    @Test("for a callback that does not return is on record with its code and what it held; a restart keeps it")
    func blocked() throws {
        let station = try station(["callback": "300ms"])
        let daemon = try Daemon(station)
        try daemon.tell("foreground", Self.application)
        for task in ["block", "leak"] { try run(task, station) }
        let work = try station.start(["run", "\(Self.application).work", "--json"], manifests: false)
        try daemon.waitForWork("\(Self.application).work")
        try daemon.tell("background", Self.application)
        try daemon.wait(for: "application.terminated", Self.application)
        let interrupted = try #require(try station.finish(work)["\(Self.application).work"])
        #expect(interrupted.outcome == "interrupted" && interrupted.reason == "applicationTerminated")
        let entries = try past(station)
        #expect(entries.map(\.kind) == ["termination", "run", "run", "run"])
        let end = entries[0]
        #expect(end.reason == "appWatchdog" && end.code == "0x8badf00d" && end.callback == "didEnterBackground")
        #expect(try #require(end.took) >= 0.3)
        #expect(end.assertionCount == 2)
        let assertions = try #require(end.assertions)
        // The second one has no name, so it gets the name of the function that began it.
        #expect(assertions.map(\.name) == ["save", "count_words"])
        #expect(assertions.map { $0.frames.first?.symbol } == ["save_draft", "count_words"])
        let text = try daemon.tell("history", "--application", Self.application)
        #expect(text.contains("didEnterBackground took longer than") && text.contains("begun by save_draft + "))
        #expect(try daemon.tell("show", interrupted.run).contains("(0x8badf00d appWatchdog)"))
        #expect(try daemon.tell("journal").contains("2 assertions were open: \"save\""))
        #expect(try daemon.tell("list", "--utc").contains("appWatchdog 20"))
        #expect(try daemon.stop().status == 0)
        #expect(try past(station).map(\.kind) == entries.map(\.kind))
        let next = try Daemon(station)
        #expect(try past(station)[0].code == "0x8badf00d")
        #expect(try next.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("for background time that it leaked is on record with each of its assertions, until retention forgets it")
    func leaked() throws {
        let station = try station(["backgroundTime": "1s"])
        try station.configure("retention", ["count": 1])
        let daemon = try Daemon(station)
        for count in 1...2 {
            try run("leak", station)
            try daemon.wait(for: "application.terminated", Self.application, count: count)
        }
        let entries = try past(station).filter { $0.kind == "termination" }
        #expect(entries.map(\.reason) == Array(repeating: "backgroundTaskAssertionTimeout", count: 2))
        for end in entries {
            #expect(end.code == "0x8badf00d" && end.assertionCount == 2)
            #expect(try #require(end.took) >= 1)
            #expect(end.assertions?.map(\.name) == ["save", "count_words"])
            #expect(end.assertions?.allSatisfy { $0.age >= 1 && $0.age < 60 } == true)
        }
        #expect(try daemon.stop().status == 0)
        #expect(try past(station).filter { $0.kind == "termination" }.count == 1)
    }
}
