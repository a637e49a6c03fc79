import Foundation
import Glibc
import Setting
import TestSupport
import Testing

#if DEBUG
@Suite("A host that dies")
struct FailpointTests {
    /// A passage at which it dies.
    struct Death: CustomStringConvertible {
        var point: Failpoint
        var count: Int
        var description: String { "\(point.rawValue):\(count)" }
    }

    /// A host of one verb has no clients: it passes no answers. Points of transfers have their own tests
    /// (TransferSurvivalTests), and those of claims are a fleet's (Tools/fleet-faults.py).
    static let points = Failpoint.allCases.filter {
        ![.answerBefore, .answerAfter].contains($0) && !$0.rawValue.hasPrefix("transfer.")
            && !$0.rawValue.hasPrefix("claim.")
    }
    static let deaths = points.flatMap { point in [1, 2, 5].map { Death(point: point, count: $0) } }

    /// Tasks that complete, that expire, and that must be killed.
    private static let tally = "org.taskhost.points.tally"
    private static let noop = "org.taskhost.fixtures.noop"

    private func station() throws -> Station {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        try station.add(ManifestText(stage: "org.taskhost.points", ["tally": "stage_tally"]))
        var ending = try ManifestText(stage: "org.taskhost.ending", ["wait": "stage_wait", "spin": "stage_spin"])
        ending.setBudget(of: "org.taskhost.ending.wait", ["wallClock": "800ms", "grace": "700ms"])
        ending.setBudget(of: "org.taskhost.ending.spin", ["wallClock": "700ms", "grace": "100ms"])
        try station.add(ending.with("isolation", "run"))
        return station
    }

    private func work(_ station: Station, dyingAt death: Death) throws -> Command {
        try station.run(
            Self.tally, "org.taskhost.ending.wait", "org.taskhost.ending.spin", "--repeat", "3", "--concurrency", "4",
            environment: ["TASKHOST_FAILPOINT": death.description]
        ).command
    }

    @Test("leaves nothing alive and loses nothing, wherever it dies", arguments: deaths)
    func dies(_ death: Death) throws {
        let station = try station()
        if [.recoverBefore, .recoverAfter, .clearAfter].contains(death.point) {
            // Something to recover from.
            #expect(try work(station, dyingAt: Death(point: .flushAfter, count: 4)).signal == SIGKILL)
            station.expectEveryProcessEnds()
        }
        let command = try work(station, dyingAt: death)
        // Some points are passed once, or a few times, in all.
        if death.count == 1 { #expect(command.signal == SIGKILL, "\(command)") }
        if command.signal == nil { #expect(command.status == 11, "\(command)") }
        station.expectEveryProcessEnds()

        let before = try station.history()
        #expect(try station.run(Self.noop).command.succeeded)
        let runs = try station.history()
        #expect(runs.last?.identifier == Self.noop)
        // What was recorded with an outcome keeps it; what was not is interrupted.
        #expect(runs.count == before.count + 1)
        for (old, new) in zip(before, runs) {
            #expect(old.run == new.run)
            // A run that no host had the time to end is shown as the next one records it.
            if old.endedAt == nil {
                #expect(old.outcome == "interrupted" && new.outcome == "interrupted", "\(old) \(new)")
            } else {
                #expect(old == new)
            }
            #expect(new.endedAt != nil && new.attempt == 1, "\(new)")
        }
        #expect(Set(runs.map(\.run)).count == runs.count)

        // A handler was invoked for recorded runs only, once for each, and always before success was recorded.
        let lines = try tallied(station)
        #expect(Set(lines).count == lines.count)
        #expect(Set(lines).isSubset(of: runs.filter { $0.identifier == Self.tally }.map { "\($0.run) \($0.attempt)" }))
        for run in runs where run.identifier == Self.tally && run.outcome == "succeeded" {
            #expect(lines.contains("\(run.run) 1"), "\(run)")
        }
        station.expectNothingLeft()
    }

    private func tallied(_ station: Station) throws -> [String] {
        let file = station.folder.file("state/applications/org.taskhost.points/state/tally")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
#endif
