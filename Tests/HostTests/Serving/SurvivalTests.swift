import Foundation
import Glibc
import Setting
import TestSupport
import Testing

#if DEBUG
@Suite("A daemon that dies")
struct SurvivalTests {
    struct Death: CustomStringConvertible {
        var point: Failpoint
        var count: Int
        var description: String { "\(point.rawValue):\(count)" }
    }

    private static let points: [Failpoint] = [
        .commitBefore, .commitAfter, .answerBefore, .answerAfter, .flushBefore, .flushAfter, .start, .launchBefore,
        .launchAfter, .replyBefore, .replyAfter, .retire, .killBefore, .killAfter, .expire, .recoverBefore,
        .recoverAfter, .clearAfter, .close,
    ]
    static let deaths =
        points.map { Death(point: $0, count: 1) }
        + [.commitAfter, .answerBefore, .answerAfter, .flushBefore].map { Death(point: $0, count: 3) }

    private static let count = 5

    private func station() throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(
            stage: "org.taskhost.survive",
            Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ("task\($0)", "stage_tally") }))
        for number in 0..<Self.count {
            let task = "org.taskhost.survive.task\(number)"
            manifest.setTask(task, "requires", ["idle": false])
            // Every other one waits for what will not come before the death.
            if number % 2 == 1 { manifest.setTask(task, "requires", ["idle": false, "externalPower": true]) }
        }
        try station.add(manifest)
        return station
    }

    @Test("loses no request that it acknowledged, wherever it dies", arguments: deaths)
    func dies(_ death: Death) throws {
        let station = try station()
        let set = try station.start(["device", "set", "power=battery", "--manifests", station.manifestFolder.path])
            .finish()
        #expect(set.succeeded, "\(set)")
        let doomed = try station.start(["serve"], environment: ["TASKHOST_FAILPOINT": death.description])
        var acknowledged: [String] = []
        do {
            try doomed.wait(forText: "taskhost: serving ")
            for number in 0..<Self.count {
                let task = "org.taskhost.survive.task\(number)"
                let submit = try station.start(["submit", task, "--json"]).finish()
                if submit.succeeded && !submit.errors.contains("no host serves") { acknowledged.append(task) }
            }
            try doomed.signal(SIGTERM)
        } catch is Problem {
            // It died before it served.
        }
        let end = try doomed.finish()
        #expect(end.signal == SIGKILL || end.status == 0, "\(end)")
        station.expectEveryProcessEnds()

        // Whatever was acknowledged has run, or is pending still.
        let daemon = try Daemon(station)
        let pending = Set(try daemon.pending().map(\.identifier))
        let ran = Set(try station.history().map(\.identifier))
        for task in acknowledged { #expect(pending.contains(task) || ran.contains(task), "\(task) is lost") }
        try daemon.tell("device", "reset")
        for task in acknowledged {
            try daemon.waitUntil {
                try station.history().contains { $0.identifier == task && $0.outcome == "succeeded" }
            }
        }
        #expect(try daemon.stop().status == 0)
        // Nothing ran twice as the same attempt.
        let runs = try station.history()
        for (_, same) in Dictionary(grouping: runs, by: \.identifier) {
            #expect(Set(same.map(\.attempt)).count == same.count, "\(same)")
        }
    }

    @Test("repeats the run of a schedule that died with it, whose next time is a day ahead")
    func scheduled() throws {
        let station = try Station()
        let task = "org.taskhost.daily.pass"
        var manifest = try ManifestText(stage: "org.taskhost.daily", ["pass": "stage_wait"])
        manifest.setTask(task, "requires", ["idle": false])
        manifest.setTask(task, "schedule", ["every": "1d", "catchUp": "latest"])
        try station.add(manifest)
        #expect(try Daemon(station).stop().status == 0)
        // As if its time had come while no host was there.
        try SQLite(station.folder.file("state/taskhost.db")).execute("UPDATE requests SET scheduled = scheduled / 2")
        let first = try Daemon(station)
        try first.waitUntil { try !station.history().isEmpty }
        #expect(try first.pending().map(\.origin) == ["schedule"], "its next time waits already")
        try first.kill()

        let second = try Daemon(station)
        try second.waitUntil { try station.history().last?.attempt == 2 }
        #expect(try second.pending().map(\.origin) == ["schedule"])
        let runs = try station.history()
        #expect(runs.map(\.attempt) == [1, 2] && runs.first?.outcome == "interrupted", "\(runs)")
        #expect(try second.stop().status == 0)
    }
}
#endif
