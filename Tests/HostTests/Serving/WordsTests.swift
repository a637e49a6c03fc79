import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What a daemon says about what was done")
struct WordsTests {
    @Test("names why a run expired that had set no handler")
    func reason() throws {
        let station = try Station()
        var manifest = try ManifestText(fixture: "hostile.expire-without-handler")
        let task = manifest.tasks[0]
        manifest.setBudget(of: task, ["wallClock": "60s", "grace": "5s"])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("submit", task)
        try daemon.wait(for: "run.started", task)
        try daemon.tell("simulate", "expiration", task)
        try daemon.wait(for: "run.ended", task)
        let run = try #require(try daemon.ask(RunDocument.List.self, "history").runs.first)
        #expect(run.outcome == "failed" && run.reason == "simulated", "\(run)")
        #expect(
            run.diagnostics.contains { $0.contains("no expiration handler was set when the run expired (simulated)") },
            "\(run)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("names the user who did it")
    func user() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        let daemon = try Daemon(station)
        try daemon.tell("submit", task)
        try daemon.tell("device", "set", "power=battery")
        let journal = try daemon.tell("journal")
        #expect(journal.contains("by the user (user \(geteuid()))"), "\(journal)")
        #expect(journal.contains("set to battery (user \(geteuid()))"), "\(journal)")
        // No user asked for this.
        #expect(journal.split(separator: "\n").contains { $0.contains("hostStarted") && !$0.contains("user") })
        #expect(try daemon.stop().status == 0)
    }
}
