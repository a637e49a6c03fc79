import Foundation
import TestSupport
import Testing

/// Runs of one task beside each other, with real processes that outlast the interval of their schedule.
@Suite("A daemon, and a schedule that lets its runs overlap")
struct OverlapServingTests {
    private static let application = "org.taskhost.beside"
    private static let task = application + ".work"
    private static let schedule = ["every": "1s", "overlap": "allow"]

    /// A program without an end, and a handler that waits for its warning.
    private static func manifest(isProgram: Bool) throws -> ManifestText {
        guard isProgram else {
            var manifest = try ManifestText(stage: application, ["work": "stage_wait"])
            manifest.setTask(task, "requires", ["idle": false])
            manifest.setTask(task, "schedule", schedule)
            return manifest
        }
        let work: [String: Any] = [
            "kind": "processing", "handler": ["command": ["/bin/sh", "-c", "exec sleep 3600"]],
            "requires": ["idle": false], "schedule": schedule,
        ]
        return ManifestText(members: ["identifier": application, "tasks": [task: work]])
    }

    private func inProgress(_ station: Station) throws -> [RunDocument] {
        try station.history().filter { $0.outcome == nil && $0.startedAt != nil }
    }

    @Test("starts each time a run beside the others, as far as places go", arguments: [true, false])
    func beside(_ isProgram: Bool) throws {
        let station = try Station()
        try station.configure("scheduling", ["processings": 3])
        try station.add(Self.manifest(isProgram: isProgram))
        let daemon = try Daemon(station)
        try daemon.waitUntil { try inProgress(station).count == 3 }
        let runs = try inProgress(station)
        #expect(Set(runs.map(\.run)).count == 3 && runs.allSatisfy { $0.attempt == 1 })
        // The fourth has a time too, and waits for a place.
        // No event says that a time has come which has to wait.
        try Patience.wait(for: "its fourth time") { try daemon.why(Self.task).holding == ["kindCapacity"] }

        // One is cancelled alone, and the next time takes its place.
        let first = try #require(runs.first)
        try daemon.tell("cancel", first.run)
        try daemon.waitUntil {
            let going = try inProgress(station).map(\.run)
            return going.count == 3 && !going.contains(first.run)
        }
        #expect(try station.history().first { $0.run == first.run }?.reason == "userCancelled")
        #expect(try inProgress(station).filter { runs.dropFirst().map(\.run).contains($0.run) }.count == 2)
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
        #expect(try station.history().allSatisfy { $0.outcome != nil })
    }

    @Test("was killed: every run is interrupted, the last one is tried again at most, and times go on")
    func killed() throws {
        let station = try Station()
        try station.configure("scheduling", ["processings": 3])
        try station.add(Self.manifest(isProgram: true))
        let first = try Daemon(station)
        try first.waitUntil { try inProgress(station).count == 3 }
        let before = try inProgress(station).map(\.run)
        try first.kill()
        let second = try Daemon(station)
        try second.waitUntil { try inProgress(station).count == 3 }
        let history = try station.history()
        #expect(history.filter { before.contains($0.run) }.allSatisfy { $0.outcome == "interrupted" }, "\(history)")
        #expect(history.count { $0.attempt == 2 } <= 1, "\(history)")
        #expect(try second.stop().status == 0)
        station.expectNothingLeft()
    }
}
