import Control
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Work that the user pauses")
struct PauseServingTests {
    private static let application = "org.taskhost.paused"

    /// An application whose task runs each second.
    private func station() throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: Self.application, ["tick": "stage_tally", "other": "stage_tally"])
        manifest.setTask(Self.application + ".tick", "schedule", ["every": "1s"])
        for task in ["tick", "other"] {
            manifest.setTask("\(Self.application).\(task)", "requires", ["idle": false])
        }
        try station.add(manifest)
        return station
    }

    private func runs(_ station: Station) throws -> Int { try station.history().count }

    @Test("does not start, across a restart of the daemon, until it is resumed", arguments: ["", "paused", "tick"])
    func restart(name: String) throws {
        let station = try station()
        let daemon = try Daemon(station)
        let words = name.isEmpty ? [] : [name == "tick" ? "tick" : Self.application]
        let text = try daemon.tell(contentsOf: ["pause"] + words)
        #expect(text.contains(name.isEmpty ? "all work" : name == "tick" ? "task" : "application"), "\(text)")
        try daemon.waitUntil { try daemon.ask(.get, "/v1/host").document()["running"]?.integer == 0 }
        let before = try runs(station)
        #expect(try daemon.stop().status == 0)

        let second = try Daemon(station)
        let gates = try second.ask(.get, "/v1/tasks/\(Self.application).tick/why").document()["gates"]?.array ?? []
        let pause = gates.first { $0["gate"]?.string == "paused" }
        #expect(pause?["holds"]?.bool == true, "\(gates)")
        // What a user starts does start.
        #expect(
            try station.start(["run", "\(Self.application).other"], manifests: false).finish()
                .succeeded)
        #expect(try runs(station) == before + 1)
        let resumed = try second.tell(contentsOf: ["resume"] + words)
        #expect(resumed.contains("nothing is paused"), "\(resumed)")
        try second.waitUntil { try runs(station) > before + 1 }
        let journal = try second.tell("journal")
        #expect(journal.contains("workPaused") && journal.contains("workResumed"), "\(journal)")
        #expect(try second.stop().status == 0)
    }

    @Test("starts again at the end of the pause, which the record forgets")
    func until() throws {
        let station = try station()
        let daemon = try Daemon(station)
        _ = try daemon.tell("pause", "--until", "2s")
        let before = try runs(station)
        try daemon.waitUntil { try runs(station) > before }
        #expect(try daemon.tell("pause", "--list").contains("nothing is paused"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("is refused with a sentence when it is not there, not paused, or in the past")
    func refusals() throws {
        let daemon = try Daemon(try station())
        func fails(_ words: String...) throws -> Command {
            try daemon.station.start(words, manifests: false).finish()
        }
        let unknown = try fails("pause", "org.taskhost.nobody.x")
        #expect(unknown.status == 64 && unknown.errors.contains("org.taskhost.nobody.x"), "\(unknown)")
        let idle = try fails("resume", "tick")
        #expect(idle.status != 0 && idle.errors.contains("nothing of that name is paused"), "\(idle)")
        let past = try fails("pause", "--until", "2001-01-01T00:00:00Z")
        #expect(past.status != 0 && past.errors.contains("a moment to come"), "\(past)")
        let kind = try fails("pause", "tick", "--of", "queue")
        #expect(kind.status == 64 && kind.errors.contains("application or task"), "\(kind)")
        #expect(try daemon.stop().status == 0)
    }
}
