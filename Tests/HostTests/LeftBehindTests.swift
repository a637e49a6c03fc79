import Foundation
import TestSupport
import Testing

@Suite("What a run leaves behind")
struct LeftBehindTests {
    @Test("is killed, and stands in the run's diagnostics", arguments: ["zygote", "run", "exec"], Machine.tiers)
    func told(_ isolation: String, _ tier: String) throws {
        let station = try Station()
        try station.configure("control", tier)
        let task = try station.add(ManifestText(fixture: "hostile.leave-child").with("isolation", isolation)).tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        let told = try station.show(run).diagnostics
        #expect(told.filter { $0.contains("left running after its completion") }.count == 1, "\(told)")
        station.expectNothingLeft()
    }

    @Test("has its last words recorded", arguments: Machine.tiers)
    func lastWords(_ tier: String) throws {
        let station = try Station()
        try station.configure("control", tier)
        let task = try station.add(fixture: "hostile.leave-talker").tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        // What the child says that it has written, and what came of it.
        let count = station.folder.file("state/applications/\(task)/state/count")
        let written = try #require(Int(try String(contentsOf: count, encoding: .utf8).split(separator: " ")[0]))
        let lines = try station.logs(run).text.split(separator: "\n").compactMap { Int($0) }
        #expect(lines.last.map { $0 >= written } == true, "\(lines.count) lines of \(written)")
        station.expectNothingLeft()
    }
}
