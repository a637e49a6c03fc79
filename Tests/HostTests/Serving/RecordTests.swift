import Control
import Foundation
import Glibc
import Host
import JSON
import Record
import Serving
import Setting
import Store
import TestSupport
import Testing

@Suite("The record of a host")
struct RecordTests {
    private static let task = "org.taskhost.record.wait"

    private func station() throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(
            stage: "org.taskhost.record", ["wait": "stage_wait", "tally": "stage_tally", "pass": "stage_pass"])
        for task in manifest.tasks { manifest.setTask(task, "requires", ["idle": false]) }
        try station.add(manifest)
        return station
    }

    /// The program, as a user that is neither the host's nor root.
    private func asNobody(_ words: [String], on station: Station) throws -> Command {
        let user = "\(Machine.nobody)"
        let program = try Places.programs.get().appending(path: "taskhost").path
        return try Program(
            "setpriv",
            ["--reuid", user, "--regid", user, "--clear-groups", program] + words + ["--state", station.state],
            environment: ["HOME": "/nonexistent"], keepsErrorsApart: true
        ).finish()
    }

    @Test(
        "is shown by the host to those who may only look, as to its own user",
        .enabled(if: Machine.isRoot, "only root can become another user"))
    func readers() throws {
        let station = try station()
        try station.configure("readers", [Machine.nobody])
        let daemon = try Daemon(station)
        #expect(try station.start(["run", "org.taskhost.record.pass"], manifests: false).finish().succeeded)
        let run = try #require(try station.history().first)
        let verbs: [[String]] = [
            ["history"], ["history", "org.taskhost.record"], ["history", "org.taskhost.record.pass"],
            ["show", run.run],
            ["show", String(run.run.prefix(12))], ["logs", run.run], ["journal"], ["list"],
            ["forecast", "--manifests", station.manifestFolder.path],
            ["list", "--manifests", station.manifestFolder.path],
        ]
        for verb in verbs {
            let own = try station.start(verb).finish()
            let other = try asNobody(verb, on: station)
            #expect(own.succeeded && other.succeeded, "\(verb): \(own) \(other)")
            // Between the two the clock advances.
            func still(_ command: Command) -> String {
                command.output.replacing(/(now|\d+ \w+ ago) */, with: "just now")
            }
            if verb[0] != "forecast" { #expect(still(own) == still(other), "\(verb)") }
            #expect(
                verb[0] == "logs" || other.output.contains("org.taskhost.record") || verb == ["journal"], "\(other)")
        }
        #expect(try asNobody(["submit", "org.taskhost.record.pass"], on: station).status == 69)
        #expect(try daemon.stop().status == 0)
    }

    @Test("reads the same from the host and from its file: runs, one run, forecasts")
    func same() throws {
        let station = try station()
        try station.add(ManifestText(stage: "org.taskhost.other", ["pass": "stage_pass"]))
        let daemon = try Daemon(station)
        for name in ["record.pass", "record.tally", "record.pass", "other.pass"] {
            let run = try station.start(["run", "org.taskhost.\(name)", "--quiet"], manifests: false)
            #expect(try run.finish().succeeded)
        }
        try daemon.tell("device", "set", "power=battery")
        try daemon.tell("quit", "org.taskhost.other")
        let words = [
            ["history", "--json", "--limit", "100"], ["history", "--json", "org.taskhost.record"],
            ["history", "--json", "--limit", "2", "org.taskhost.record.pass"],
            ["history", "--json", "org.taskhost.none"],
        ]
        let run = try #require(try station.history().first { $0.identifier.hasSuffix("tally") })
        let all = words + [["show", "--json", run.run], ["logs", "--json", run.run]]
        func answers() throws -> [String] {
            try all.map { try station.start($0).finish().output }
        }
        let served = try answers()
        #expect(try daemon.stop().status == 0)
        let read = try answers()
        for (words, (served, read)) in zip(all, zip(served, read)) { #expect(served == read, "\(words)") }
    }

    @Test("says interrupted of what ran when its host was killed, before another host has looked")
    func killed() throws {
        let daemon = try Daemon(try station())
        let station = daemon.station
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        #expect(try station.history().map(\.outcome) == [nil], "it runs")
        try daemon.kill()
        let run = try #require(try station.history().first)
        #expect(run.outcome == "interrupted" && run.endedAt == nil, "\(run)")
        #expect(try station.show(run).outcome == "interrupted")
        #expect(try station.ask(RunDocument.List.self, "history", Self.task).runs.map(\.outcome) == ["interrupted"])
        struct List: Decodable {
            struct Task: Decodable {
                var identifier: String
                var lastRun: RunDocument?
            }
            var tasks: [Task]
        }
        let words = ["list", "--json", "--manifests", station.manifestFolder.path]
        let list = try JSONDecoder().decode(
            List.self, from: Data(try station.start(words).finish().output.utf8))
        #expect(list.tasks.first { $0.identifier == Self.task }?.lastRun?.outcome == "interrupted")
        #expect(try !station.start(["history"]).finish().output.contains("running"))
    }

    @Test("that another process has open is waited for at the start, with one sentence that names the process")
    func foreign() throws {
        let station = try station()
        #expect(try Daemon(station).stop().status == 0)
        let shell = try Program("python3", ["-c", Self.writer, station.state + "/taskhost.db"])
        try shell.wait(forText: "writing")
        let host = try station.start(["serve"])
        try host.wait(forText: "taskhost: waiting for the record of runs")
        try shell.signal(SIGTERM)
        try host.wait(forText: "taskhost: serving ")
        try host.signal(SIGTERM)
        let end = try host.finish()
        let lines = end.errors.split(separator: "\n").filter { $0.contains("waiting for") }
        #expect(end.status == 0 && lines.count == 1, "\(end)")
        #expect(lines.first?.contains("process \(shell.pid) (python3) has it open") == true, "\(lines)")
    }

    /// Takes the write lock and keeps it.
    private static let writer = """
        import sqlite3, sys, time
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        print("writing", flush=True)
        time.sleep(600)
        """

    @Test("cannot be taken or read by others while it serves: what they try does not hold it up")
    func heldUp() throws {
        let station = try station()
        let daemon = try Daemon(station)
        for statement in ["BEGIN IMMEDIATE", "SELECT count(*) FROM runs"] {
            let shell = try Command.run("sqlite3", [station.state + "/taskhost.db", statement])
            #expect(shell.output.contains("locked"), "\(shell)")
        }
        #expect(try station.start(["run", "org.taskhost.record.pass"], manifests: false).finish().succeeded)
        #expect(try daemon.stop().status == 0)
    }

    @Test("of a run in the foreground is reported as that run's, with its process")
    func foreground() throws {
        let station = try station()
        let run = try station.start(["run", Self.task])
        try run.wait(forText: "started")
        for verb in [
            ["history"], ["show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
            ["forecast", "--manifests", station.manifestFolder.path],
        ] {
            let told = try station.start(verb).finish()
            #expect(told.status == 69, "\(verb): \(told)")
            #expect(told.errors.contains("process \(run.pid)") && told.errors.contains("taskhost run"), "\(told)")
        }
        try run.signal(SIGINT)
        _ = try run.finish()
        #expect(try station.history().count == 1)
    }

    @Test("A long answer does not hold up a short one")
    func long() throws {
        let station = try station()
        #expect(try Daemon(station).stop().status == 0)
        try SQLite(station.folder.file("state/taskhost.db")).execute(
            """
            INSERT INTO tasks (id, identifier, application) VALUES (900, 'org.taskhost.old', 'org.taskhost.old');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO runs (seq, ulid, task, attempt, submitted, ended, outcome)
            SELECT i, zeroblob(16), 900, 1, strftime('%s', 'now') * 1000000000, strftime('%s', 'now') * 1000000000, 1 FROM n
            """)
        let host = try HostUnderTest(stateFolder: station.state, configuration: HostConfiguration())
        let service = try Service(host: host, manifests: [station.manifestFolder.path], purpose: .verb) { _ in }
        var order: [String] = []
        var length = 0
        host.decider.refreshClock()
        service.handler.handle(ControlRequest(.get, "/v1/runs", query: [("limit", "10000")])) {
            order.append("long")
            length = ((try? JSONParser.parse($0.body, maximumBytes: 1 << 24))?["runs"]?.array ?? []).count
        }
        var turns = 0
        service.handler.handle(ControlRequest(.get, "/v1/runs", query: [("limit", "10")])) { _ in order.append("short")
        }
        try host.run {
            turns += 1
            return order.count == 2
        }
        #expect(order == ["short", "long"] && length == 10_000)
        #expect(turns > 100, "a portion a turn")
        try host.close()
    }

    @Test("POST /v1/runs has a bound, and says what to do beyond it")
    func bound() throws {
        let station = try station()
        try station.configure("concurrency", 1)
        let daemon = try Daemon(station)
        let many = Array(repeating: "\"\(Self.task)\"", count: 4096).joined(separator: ",")
        let body = "{\"identifiers\":[\(many)]}"
        let file = try station.folder.write("body.json", body).path
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try daemon.ask(.post, "/v1/runs", body: "@\(file)").status) }
        #expect(statuses == [202, 202, 429])
        let refused = try daemon.ask(.post, "/v1/runs", body: "@\(file)")
        #expect(refused.text.contains("too-many-runs") && refused.text.contains("try again when some have ended"))
        // What is still free may be used.
        #expect(
            try daemon.ask(.post, "/v1/runs", body: #"{"identifiers": ["org.taskhost.record.pass"]}"#).status == 202)
        try daemon.program.signal(SIGTERM)
        try daemon.program.signal(SIGTERM)
        _ = try daemon.program.finish(patience: .long)
    }

    @Test("Refused submissions and notifications are journaled so often for one process, and counted")
    func refusals() throws {
        let station = try Station()
        try station.add(fixture: "hostile.flood-services")
        let daemon = try Daemon(station)
        let task = "org.taskhost.hostile.flood-services"
        #expect(try station.start(["run", task], manifests: false).finish(patience: .long).succeeded)
        #expect(try daemon.stop().status == 0)
        let file = try SQLite(station.folder.file("state/taskhost.db"))
        for kind in [JournalKind.requestRefused, .notification] {
            let lines = try file.column("SELECT text FROM journal WHERE kind = \(kind.rawValue) ORDER BY seq")
            #expect(lines.count == 65, "\(kind): \(lines.count)")
            #expect(lines.last == "and 36 more of one process", "\(kind): \(lines.suffix(2))")
        }
    }
}
