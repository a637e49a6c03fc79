import Control
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Past runs are chosen")
struct PastRunsTests {
    private static let application = "com.example.past"
    private static let (good, bad) = (application + ".good", application + ".bad")

    private func station() throws -> Station {
        let station = try Station()
        func task(_ status: Int) -> [String: Any] {
            [
                "kind": status == 0 ? "processing" : "appRefresh",
                "handler": ["command": ["/bin/sh", "-c", "exit \(status)"]],
            ]
        }
        try station.add(
            ManifestText(members: [
                "identifier": Self.application, "backgroundModes": ["fetch", "processing"],
                "tasks": [Self.good: task(0), Self.bad: task(1)],
            ]))
        return station
    }

    @Test("by outcome, kind, time, text and a run, by a daemon as from the file")
    func chosen() throws {
        let station = try station()
        for task in [Self.good, Self.bad, Self.good, Self.bad] { _ = try station.run(task) }
        let runs = Array(try station.history().reversed())
        #expect(runs.map(\.outcome) == ["failed", "succeeded", "failed", "succeeded"])
        let rows: [(words: [String], expected: [Int])] = [
            (["--outcome", "failed"], [0, 2]), (["--outcome", "failed,succeeded"], [0, 1, 2, 3]),
            (["--outcome", "crashed", "--outcome", "succeeded"], [1, 3]), (["--outcome", "crashed"], []),
            (["--kind", "appRefresh"], [0, 2]), (["--kind", "processing", "--outcome", "failed"], []),
            (["--text", "PAST.goo"], [1, 3]), (["--text", "com.example.past", Self.bad], [0, 2]),
            (["--since", "1h"], [0, 1, 2, 3]), (["--until", "1h"], []),
            (["--since", runs[1].submittedAt], [0, 1]), (["--until", runs[1].submittedAt], [2, 3]),
            (["--before", runs[1].run], [2, 3]), (["--before", runs[0].run, "--limit", "2"], [1, 2]),
            (["--before", runs[1].run, "--outcome", "failed"], [2]),
            (["--application", Self.application], [0, 1, 2, 3]),
            (["--application", Self.application, "--outcome", "succeeded"], [1, 3]),
        ]
        func check(_ place: String) throws {
            for row in rows {
                let command = try station.start(["history", "--json"] + row.words).finish()
                let found = try JSONDecoder().decode(RunDocument.List.self, from: Data(command.output.utf8)).runs
                #expect(found.map(\.run) == row.expected.map { runs[$0].run }, "\(place): \(row.words)")
            }
            for words in [
                ["--outcome", "well"], ["--kind", "x"], ["--since", "soon"],
                ["--before", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
            ] {
                let command = try station.start(["history"] + words).finish()
                #expect(command.status == 64, "\(place): \(command)")
            }
        }
        try check("file")
        let daemon = try Daemon(station)
        try check("daemon")
        let table = try daemon.tell("history", "--limit", "1")
        #expect(
            table.contains("SUBMITTED") && table.contains("STARTED") && table.contains("ATTEMPT  ORIGIN"), "\(table)")
        let page = try daemon.ask(.get, "/v1/runs?limit=3").document()
        #expect(page["next"]?.string == runs[2].run)
        // By a number as well, as earlier versions gave it.
        for place in [runs[2].run, "2"] {
            let rest = try daemon.ask(.get, "/v1/runs?before=\(place)").document()["runs"]?.array ?? []
            #expect(rest.map { $0["run"]?.string } == [runs[3].run], "before \(place)")
        }
        #expect(try daemon.ask(.get, "/v1/runs?before=x").status == 404)
        #expect(try daemon.ask(.get, "/v1/runs?outcome=well").status == 400)
        #expect(try daemon.stop().status == 0)
    }
}
