import Control
import Foundation
import JSON
import TaskModel
import TestSupport
import Testing

/// Runs that are unlike the last ones of their task, with real processes.
@Suite("A run that is unlike the last ones of its task")
struct UnlikeRunTests {
    private static let task = "com.example.odd.work"

    private func manifest(_ script: String, _ more: [String: Any] = [:]) -> ManifestText {
        let work: [String: Any] = [
            "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]], "requires": ["idle": false],
        ]
        let alert: [String: Any] = [
            "kind": "processing", "handler": ["command": ["/bin/cat"]], "requires": ["idle": false],
        ]
        return ManifestText(members: [
            "identifier": "com.example.odd",
            "tasks": [Self.task: work.merging(more) { $1 }, "com.example.odd.alert": alert],
        ])
    }

    private struct Run: Decodable {
        struct Difference: Decodable {
            var `is`: String
            var figure: String
            var value: Double
            var usual: Double
            var text: String
        }
        var run: String
        var outcome: String?
        var unlikeItself: [Difference]
        var wroteErrors: Bool
        var lastLine: String?
    }

    private struct Runs: Decodable { var runs: [Run] }

    private func runs(_ station: Station, _ words: [String] = []) throws -> [Run] {
        let command = try station.start(
            ["history", Self.task, "--json"] + (words.contains("--limit") ? [] : ["--limit", "1000"]) + words
        ).finish()
        return try JSONDecoder().decode(Runs.self, from: Data(command.output.utf8)).runs
    }

    @Test("is marked with the figure and how far, and answered by the onFailure that wants it")
    func longer() throws {
        let station = try Station()
        try station.plant(30, of: Self.task, application: "com.example.odd", took: .milliseconds(300))
        let answer: [String: Any] = ["when": ["unlikeItself"], "do": "com.example.odd.alert"]
        try station.add(manifest("sleep 1.2", ["onFailure": answer]))
        let daemon = try Daemon(station)
        #expect(try station.start(["submit", Self.task]).finish().succeeded)
        try daemon.waitUntil {
            try station.history().contains { $0.identifier == "com.example.odd.alert" && $0.outcome != nil }
        }
        let alert = try #require(try station.history().first { $0.identifier == "com.example.odd.alert" })
        let told = try JSONDecoder().decode(Run.self, from: Data(try station.logs(alert).text.utf8))
        let run = try #require(try runs(station).first)
        let difference = try #require(run.unlikeItself.first { $0.is == "longer" }, "\(run)")
        #expect(run.outcome == "succeeded" && difference.figure == "wallTime" && difference.usual == 0.3)
        #expect(difference.value >= 1.2 && difference.text.hasPrefix("longer than usual: it took 1"))
        #expect(told.run == run.run && told.unlikeItself.contains { $0.is == "longer" })
        #expect(try runs(station, ["--unlike"]).map(\.run) == [run.run])
        #expect(try runs(station).count == 31)
        let table = try station.start(["history", Self.task, "--limit", "1"]).finish().output
        #expect(table.contains("longer than usual"), "\(table)")
        let metrics = try Exposition(daemon.ask(.get, "/metrics").text, isOpenMetrics: false)
        #expect(
            metrics.value("taskhost_runs_unlike_themselves_total", ["task": Self.task, "difference": "longer"]) == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("may be shorter: a task of a minute that is over at once")
    func shorter() throws {
        let station = try Station()
        try station.plant(12, of: Self.task, application: "com.example.odd", took: .seconds(60))
        try station.add(manifest("true"))
        #expect(try station.run(Self.task).command.succeeded)
        let run = try #require(try runs(station).first)
        #expect(run.unlikeItself.map(\.is) == ["shorter"], "\(run)")
        #expect(run.unlikeItself.first?.usual == 60)
    }

    /// But for how long it took: a process takes real time, and the virtual clock may move past it meanwhile.
    private func marks(_ run: Run) -> [String] { run.unlikeItself.map(\.is).filter { $0 != "longer" } }

    @Test("A month of steady runs has no mark; one that comes early, and one that comes late, have")
    func month() throws {
        let station = try Station()
        try station.add(manifest("true", ["schedule": ["every": "12h"]]))
        let daemon = try Daemon(station, options: ["--clock", "virtual"])
        for _ in 0..<4 { try daemon.tell("simulate", "advance", "7d") }
        let month = try runs(station)
        #expect((54...57).contains(month.count), "\(month.count) runs")
        #expect(month.allSatisfy { $0.outcome == "succeeded" && marks($0).isEmpty && !$0.wroteErrors })

        // Just after a time of its schedule.
        let last = try #require(month.first)
        var newest = last
        while newest.run == last.run {
            try daemon.tell("simulate", "advance", "2h")
            newest = try #require(try runs(station, ["--limit", "1"]).first)
        }
        try daemon.tell("simulate", "advance", "30m")
        #expect(try station.start(["submit", Self.task]).finish().succeeded)
        try daemon.waitUntil {
            let run = try runs(station, ["--limit", "1"]).first
            return run?.run != newest.run && run?.outcome != nil
        }
        let early = try #require(try runs(station, ["--limit", "1"]).first)
        #expect(marks(early) == ["moreOften"], "\(early)")

        try daemon.tell("pause", Self.task)
        try daemon.tell("simulate", "advance", "3d")
        let paused = try #require(try runs(station, ["--limit", "1"]).first)
        try daemon.tell("resume", Self.task)
        try daemon.tell("simulate", "advance", "12h")
        let late = try #require(try runs(station).last { $0.run > paused.run })
        #expect(marks(late) == ["lessOften"], "\(late)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("A run that succeeded and wrote to standard error is marked; one that failed says what it printed last")
    func errors() throws {
        let station = try Station()
        try station.add(manifest("echo careful >&2; read -r how; exit ${how:-0}"))
        #expect(try station.run(Self.task).command.succeeded)
        #expect(try station.run(Self.task, "--payload-text", "3").command.status == 1)
        let found = try runs(station)
        #expect(found.map(\.wroteErrors) == [false, true] && found.map(\.outcome) == ["failed", "succeeded"])
        #expect(found.map(\.lastLine) == ["careful", nil])
        let table = try station.start(["history", Self.task]).finish().output
        #expect(table.contains("status 3: careful") && table.contains("wrote to standard error"), "\(table)")
    }
}
