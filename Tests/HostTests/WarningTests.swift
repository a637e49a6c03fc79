import Foundation
import TestSupport
import Testing

#if DEBUG
@Suite("A warning")
struct WarningTests {
    @Test("does not wait until it is on disk")
    func disk() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.warned", ["when": "stage_when"])
        let task = manifest.tasks[0]
        manifest.setBudget(of: task, ["wallClock": "30s", "grace": "29900ms"])
        try station.add(manifest)
        // From the third on each commit takes a second; the warning's comes later.
        let report = try station.run(task, environment: ["TASKHOST_FAILPOINT": "commit.before:3:hold"])
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "expired", "\(run)")
        let line = try #require(try station.logs(run).text.firstMatch(of: /warned at (\d+\.\d+)/))
        let warned = try #require(Double(line.1))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let decided = try style.parse(#require(run.expiredAt)).timeIntervalSince1970
        #expect(warned - decided < 0.7, "\(run)")
        #expect(warned - decided > -0.01)
        station.expectNothingLeft()
    }
}
#endif
