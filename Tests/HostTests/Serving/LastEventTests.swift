import Foundation
import TestSupport
import Testing

@Suite("A client of events that comes back")
struct LastEventTests {
    private static let application = "org.taskhost.back"
    private static let task = "org.taskhost.back.pass"

    private func daemon() throws -> Daemon {
        let station = try Station()
        var manifest = try ManifestText(stage: Self.application, ["pass": "stage_pass", "other": "stage_pass"])
        for task in manifest.tasks { manifest.setTask(task, "requires", ["idle": false]) }
        try station.add(manifest)
        return try Daemon(station)
    }

    private struct Event {
        var name = ""
        var id: UInt64 = 0
        var data = ""

        static func list(_ text: String) -> [Event] {
            text.components(separatedBy: "\n\n").compactMap { block in
                var event = Event()
                for line in block.components(separatedBy: "\n") {
                    if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                    if line.hasPrefix("id: ") { event.id = UInt64(line.dropFirst(4)) ?? 0 }
                    if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                }
                return event.name.isEmpty ? nil : event
            }
        }
    }

    /// A stream that has seen `last`.
    private func stream(_ daemon: Daemon, after last: String? = nil, runs: String? = nil) throws -> Program {
        let header = last.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
        let query = runs.map { "?runs=\($0)" } ?? ""
        return try Program(
            "curl",
            ["-sN", "--unix-socket", daemon.station.state + "/control.sock"] + header
                + ["http://localhost/v1/events\(query)"])
    }

    private func run(_ daemon: Daemon, _ task: String = task) throws {
        let run = try daemon.station.start(["run", task, "--quiet"], manifests: false).finish()
        #expect(run.succeeded, "\(run)")
    }

    @Test("gets what it has missed, once and in order, and then what happens")
    func missed() throws {
        let daemon = try daemon()
        try run(daemon)
        try daemon.wait(for: "run.ended", Self.task)
        let all = Event.list(daemon.seen)
        let first = try #require(all.first { $0.name == "run.submitted" })
        try run(daemon)
        try daemon.wait(for: "run.ended", Self.task, count: 2)
        let back = try stream(daemon, after: "\(first.id)")
        try back.wait(until: { $0.count(of: "event: run.ended") >= 2 }, for: "what was missed")
        try run(daemon)
        try back.wait(until: { $0.count(of: "event: run.ended") >= 3 }, for: "what comes")
        try daemon.wait(for: "run.ended", Self.task, count: 3)
        // As far as both streams have come for certain.
        func untilThird(_ events: [Event]) -> [Event] {
            let ends = events.indices.filter { events[$0].name == "run.ended" }
            return Array(events.prefix(through: ends[ends.count - 1]))
        }
        let told = untilThird(Event.list(back.output))
        let expected = untilThird(Event.list(daemon.seen).filter { $0.id > first.id })
        #expect(told.map(\.id) == expected.map(\.id) && told.map(\.data) == expected.map(\.data))
        #expect(told.map(\.id) == told.map(\.id).sorted() && !back.output.contains("events.lost"))

        // With runs: of these alone.
        struct Ended: Decodable { var run: String }
        let ended = try #require(expected.first { $0.name == "run.ended" })
        let id = try JSONDecoder().decode(Ended.self, from: Data(ended.data.utf8)).run
        let some = try stream(daemon, after: "\(first.id)", runs: id)
        try some.wait(until: { $0.contains("event: run.ended") }, for: "what was missed of a run")
        let own = expected.filter { $0.data.contains(id) }
        #expect(Event.list(some.output).map(\.id) == own.map(\.id))
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "learns that events are lost, when it names a number that no host gave",
        arguments: ["0", "1", "-1", "18446744073709551615", "18446744073709551616", "x", "1.5"])
    func unknown(_ last: String) throws {
        let daemon = try daemon()
        try run(daemon)
        try daemon.wait(for: "run.ended", Self.task)
        let back = try stream(daemon, after: last)
        try back.wait(until: { $0.contains("\n\n") && $0.contains("event: ") }, for: "an event")
        let event = try #require(Event.list(back.output).first)
        #expect(event.name == "events.lost" && event.data == #"{"lastEventID":"\#(last)"}"#, "\(event)")
        try run(daemon)
        try back.wait(until: { $0.contains("event: run.ended") }, for: "what comes")
        #expect(try daemon.stop().status == 0)
    }

    @Test("learns that events are lost, when it names one of an earlier host")
    func earlierHost() throws {
        let first = try daemon()
        try run(first)
        try first.wait(for: "run.ended", Self.task)
        let last = try #require(Event.list(first.seen).last)
        #expect(try first.stop().status == 0)
        let second = try Daemon(first.station)
        let back = try stream(second, after: "\(last.id)")
        try back.wait(until: { $0.contains("event: events.lost") }, for: "the loss")
        #expect(try second.stop().status == 0)
    }
}
