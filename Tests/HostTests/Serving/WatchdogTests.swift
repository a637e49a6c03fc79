import Control
import Foundation
import JSON
import Linux
import TestSupport
import Testing

/// The ends of applications that do not answer, keep what they were lent, or take more than there is.
@Suite("A watchdog")
struct WatchdogTests {
    /// A fixture, and the record of its end.
    struct Case: Sendable, CustomTestStringConvertible {
        var fixture: String
        /// What is run, after the application's identifier, and its outcome.
        var task = ""
        var outcome = "succeeded"
        var reason: String
        var code: String
        var callback: String?
        /// Names of the assertions that it held.
        var names: [String] = []
        var count = 0

        var testDescription: String { fixture + task }
        var application: String { "org.taskhost.hostile.\(fixture)" }
    }

    static let cases = [
        Case(
            fixture: "background-blocks", outcome: "interrupted", reason: "appWatchdog", code: "0x8badf00d",
            callback: "didEnterBackground"),
        Case(
            fixture: "assertion-leaks", reason: "backgroundTaskAssertionTimeout", code: "0x8badf00d",
            names: ["uploading the holiday", ""], count: 2),
        Case(
            fixture: "assertion-handler-blocks", reason: "backgroundTaskAssertionTimeout", code: "0x8badf00d",
            names: ["blocking", "behind it"], count: 2),
        Case(
            fixture: "activity-goes-on", reason: "backgroundTaskAssertionTimeout", code: "0x8badf00d",
            names: ["for ever"], count: 1),
        Case(
            fixture: "assertion-thousand", outcome: "interrupted", reason: "tooManyBackgroundTaskAssertions",
            code: "0xbada5e47", names: Array(repeating: "one more", count: 16), count: 1000),
        Case(
            fixture: "fetch-unanswered", task: ":fetch", outcome: "overran", reason: "backgroundFetchTimeout",
            code: "0x2182bad4", callback: "performFetch"),
        Case(
            fixture: "fetch-unanswered", task: ":push", outcome: "overran", reason: "backgroundFetchTimeout",
            code: "0x2182bad4", callback: "didReceiveRemoteNotification"),
        Case(
            fixture: "launch-hangs", outcome: "refused", reason: "appWatchdog", code: "0x8badf00d", callback: "launch"),
    ]

    private func daemon(_ fixture: String) throws -> Daemon {
        let station = try Station()
        try station.configure("launch", "1s")
        try station.configure("suspendAfter", "100ms")
        try station.configure("limits", ["backgroundTime": "2s", "callback": "500ms", "event": "1s"])
        try station.add(fixture: "hostile.\(fixture)")
        return try Daemon(station)
    }

    private func terminations(_ daemon: Daemon) throws -> [JSONValue] {
        try daemon.ask(.get, "/v1/terminations").document()["terminations"]?.array ?? []
    }

    private func run(_ task: String, _ daemon: Daemon) throws -> RunDocument {
        let command = try daemon.station.start(["run", task, "--json"], manifests: false).finish()
        let list = try? JSONDecoder().decode(RunDocument.List.self, from: Data(command.output.utf8))
        return try #require(list?.runs.first, "\(command)")
    }

    @Test("ends an application, and its record says why, in which callback and with what it held", arguments: cases)
    func ends(_ row: Case) throws {
        let daemon = try daemon(row.fixture)
        let run = try run(row.application + row.task, daemon)
        #expect(run.outcome == row.outcome, "\(run)")
        try daemon.wait(for: "application.terminated", row.application)
        let all = try terminations(daemon)
        let record = try #require(all.first)
        #expect(all.count == 1)
        #expect(record["reason"]?.string == row.reason)
        #expect(record["code"]?.string == row.code)
        #expect(record["callback"]?.string == row.callback)
        let count = Int(record["assertionCount"]?.integer ?? -1)
        // After a thousand it keeps beginning more until it is killed.
        #expect(row.count == 1000 ? count > row.count : count == row.count, "\(count)")
        let assertions = record["assertions"]?.array ?? []
        #expect(assertions.map { $0["name"]?.string ?? "" } == row.names, "\(assertions)")
        // The calling code, not the worker's.
        for assertion in assertions {
            let module = assertion["frames"]?.array?.first?["module"]?.string
            #expect(module?.hasSuffix("/libhostile-\(row.fixture).so") == true, "\(assertion)")
        }
        #expect(try daemon.stop().status == 0)
        daemon.station.expectEveryProcessEnds()
    }

    @Test("gives an application that blocks in the background no longer when a user brought it there")
    func front() throws {
        let application = "org.taskhost.hostile.background-blocks"
        let daemon = try daemon("background-blocks")
        try daemon.tell("foreground", application)
        try daemon.wait(for: "application.state", application)
        try daemon.tell("background", application)
        try daemon.wait(for: "application.terminated", application)
        #expect(try terminations(daemon).map { $0["callback"]?.string } == ["didEnterBackground"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("ends an application that a user quits and that does not leave", arguments: ["quit", "stop"])
    func end(by word: String) throws {
        let application = "org.taskhost.hostile.terminate-hangs"
        let daemon = try daemon("terminate-hangs")
        try daemon.tell("foreground", application)
        try daemon.waitUntil { try daemon.tell("list").contains(" active") }
        if word == "quit" {
            try daemon.tell("quit", application)
            try daemon.wait(for: "application.terminated", application, count: 2)
            let found = try terminations(daemon).map { [$0["reason"]?.string, $0["callback"]?.string] }
            #expect(found == [["appWatchdog", "willTerminate"], ["forceQuit", nil]])
        }
        #expect(try daemon.stop().status == 0)
        daemon.station.expectEveryProcessEnds()
        let journal = try daemon.station.start(["journal"]).finish()
        #expect(journal.output.contains("willTerminate took longer than 500 ms (0x8badf00d appWatchdog)"), "\(journal)")
    }

    @Test("answers who quits an application when that has ended, not while it is asked to")
    func quit() throws {
        let application = "org.taskhost.hostile.terminate-hangs"
        let daemon = try daemon("terminate-hangs")
        try daemon.tell("foreground", application)
        try daemon.waitUntil { try daemon.tell("list").contains(" active") }
        let zygote = try #require(daemon.zygotes.first)
        let workers = daemon.workers(of: zygote)
        #expect(!workers.isEmpty)
        try daemon.tell("quit", application)
        for worker in workers { #expect(ProcessStatus(of: worker)?.isAlive != true) }
        #expect(try terminations(daemon).count == 2)
        // One that does not run is quit at once.
        try daemon.tell("quit", application)
        #expect(try daemon.stop().status == 0)
    }

    @Test("is not wanted where nothing is left open: what begins too late is none, and the application is suspended")
    func late() throws {
        let application = "org.taskhost.hostile.assertion-begins-late"
        let daemon = try daemon("assertion-begins-late")
        #expect(try run(application, daemon).outcome == "succeeded")
        try daemon.waitUntil { try daemon.tell("journal").contains("begun late: 0") }
        try daemon.waitUntil { try daemon.tell("list").contains("suspended") }
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("does not bark at an assertion that is ended twice: the journal names each number, once")
    func twice() throws {
        let daemon = try daemon("assertion-ends-twice")
        let run = try run("org.taskhost.hostile.assertion-ends-twice", daemon)
        #expect(run.outcome == "succeeded", "\(run)")
        let advice = "; end each one once, by its own number"
        #expect(
            run.diagnostics.filter { $0.hasSuffix(advice) } == [
                "assertion 2 was ended, and it has ended already" + advice,
                "assertion 3 was ended, and no assertion has that number" + advice,
                "assertion \(UInt64.max) was ended, and no assertion has that number" + advice,
            ])
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)
    }
}
