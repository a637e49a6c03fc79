import Foundation
import TestSupport
import Testing

/// Verbs and hosts of a fleet on a real database.
@Suite("A fleet", .plainBuild)
struct FleetVerbTests {
    private let tools: FleetOfTools

    init() throws { tools = try FleetOfTools(PrivatePostgres.shared()) }

    // MARK: The database

    @Test("is made once, and says so")
    func schema() throws {
        let first = try tools.fleet("init", tools.database)
        #expect(first.status == 0 && first.output.contains("version 3, is made"), "\(first.output)\(first.errors)")
        let second = try tools.fleet("init", tools.database, "--json")
        #expect(try second.document["made"] as? Bool == false)
        let hosts = try tools.fleet("--database", tools.database)
        #expect(hosts.status == 0 && hosts.output.contains("no host has joined yet"))
    }

    @Test("is made a newer version of, and keeps what it has")
    func migration() throws {
        let first = try String(
            contentsOf: Places.root.appending(path: "Sources/Fleet/Schema/fleet-1.sql"), encoding: .utf8)
        _ = try tools.query("BEGIN; CREATE SCHEMA taskhost; \(first); COMMIT")
        try tools.fleet("rollout", "--database", tools.database).expectSentence(
            ["another version", ": 1, and this taskhost knows 3", "run 'taskhost fleet init'"], status: 1)
        let key = try tools.query("SELECT taskhost.submit('com.example.old.task')")
        let migrated = try tools.fleet("init", tools.database, "--json")
        #expect(try migrated.document["migratedFrom"] as? Int == 1 && migrated.document["version"] as? Int == 3)
        #expect(try tools.ask("pending").output.contains("com.example.old.task"), "\(key)")
        #expect(try tools.fleet("init", tools.database).output.contains("nothing was changed"))
    }

    @Test("has a sentence for each way in which it cannot be used")
    func faults() throws {
        try tools.ask("pending").expectSentence(["no fleet", "taskhost fleet init"], status: 1)
        try tools.ask("pending", database: "host=\(tools.folder.path) dbname=none").expectSentence(
            ["cannot be reached", tools.folder.path], status: 69)
        try tools.ask("pending", database: "postgresql://me:secret@db/jobs").expectSentence(["~/.pgpass"], status: 64)
        try Tool.run("pending", "--fleet").expectSentence(["no fleet is configured"], status: 64)
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.ask("submit", "no identifier at all").expectSentence(["identifier"], status: 1)
        try tools.ask("cancel", "none").expectSentence(["no key of a request"], status: 64)
        try tools.ask("why", "01M8K0XAHRXG97283F8YZETNEE").expectSentence(["no such request"], status: 1)
        try tools.fleet("drain", "nobody", "--database", tools.database).expectSentence(
            ["no such host", "nobody"], status: 1)
        _ = try tools.query("CREATE ROLE \(role) LOGIN")
        try tools.ask("pending", database: "\(tools.database) user=\(role)").expectSentence(
            ["too few rights"], status: 1)
        _ = try tools.query("UPDATE taskhost.meta SET version = 99")
        try tools.fleet("init", tools.database).expectSentence(
            ["99, and this taskhost knows 3", "install a newer taskhost"], status: 1)
        try tools.ask("pending").expectSentence(["99, and this taskhost knows 3"], status: 1)
    }

    @Test("is not made in a schema of another user, whose functions would run with more rights than his")
    func foreignSchema() throws {
        _ = try tools.query("CREATE ROLE \(role); CREATE SCHEMA taskhost AUTHORIZATION \(role)")
        _ = try tools.query(
            "CREATE FUNCTION taskhost.version() RETURNS int LANGUAGE sql AS 'CREATE TABLE public.taken (); SELECT 3'")
        try tools.fleet("init", tools.database).expectSentence(
            ["another user's", role, "as \(role)"], status: 1)
        #expect(try tools.query("SELECT to_regclass('public.taken') IS NULL") == "t")
    }

    private var role: String { "role" + String(tools.database.suffix(24)).filter(\.isNumber) }

    // MARK: Requests

    @Test("shows what waits and why, and takes it back")
    func requests() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        let made = try tools.ask(
            "submit", "com.example.fleet.t1", "--payload-text", "secret words", "--key", "a", "--json")
        let key = try #require(try made.document["request"] as? String, "\(made.output)\(made.errors)")
        let again = try tools.ask("submit", "com.example.fleet.t1", "--key", "a", "--json")
        #expect(try again.document["request"] as? String == key)
        let pending = try tools.ask("pending")
        #expect(pending.output.contains(key) && !pending.output.contains("secret"))
        #expect(try tools.ask("why", "com.example.fleet.t1").output.contains("no host of the fleet lives"))
        #expect(try tools.ask("cancel", key).output == "\(key) is taken back\n")
        #expect(try tools.ask("cancel", key).output == "\(key) had ended already\n")
        try tools.ask("cancel", "01M8K0XAHRXG97283F8YZETNEE").expectSentence(
            ["no such request, or another user's", "01M8K0XAHRXG97283F8YZETNEE"], status: 1)
        #expect(try tools.ask("why", key).output.contains("has ended: cancelled"))
        #expect(try tools.ask("pending").output.contains("no request of the fleet is pending"))
    }

    @Test("knows how each run went, on whichever host, and a handler knows its claim")
    func history() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "echo $TASKHOST_FLEET_KEY $TASKHOST_FLEET_TOKEN; exit 3")
        let host = try tools.serve("one")
        let made = try tools.ask("submit", "com.example.fleet.t1", "--json")
        let key = try #require(try made.document["request"] as? String)
        try Patience.wait(for: "its end") { try tools.query("SELECT count(*) FROM taskhost.runs") == "1" }
        let failed = try tools.ask("history", key, "--json")
        let run = try #require((try failed.document["runs"] as? [[String: Any]])?.first)
        #expect(run["outcome"] as? String == "failed" && run["exitStatus"] as? Int == 3, "\(failed.output)")
        #expect(run["token"] as? Int == 1 && run["attempt"] as? Int == 1)
        #expect(try tools.ask("history").output.contains("exit status 3"))
        #expect(try tools.ask("logs", key).output == "\(key) 1\n")
        let shown = try tools.ask("show", key).output
        #expect(shown.contains("com.example.fleet.t1") && shown.contains("exit status 3"), "\(shown)")
        // The host's own record has the same run.
        let id = try #require(run["run"] as? String)
        let own = try Tool.run("show", id, "--state", tools.folder.file("s/one").path)
        #expect(own.status == 0 && own.output.contains("exit status"), "\(own.output)\(own.errors)")
        let third = try Tool.run(
            "run", "com.example.fleet.t1", "--attempt", "3", "--json", "--state", tools.folder.file("s/one").path)
        let repeated = try #require((try third.document["runs"] as? [[String: Any]])?.first, "\(third.errors)")
        #expect(third.status == 1 && repeated["attempt"] as? Int == 3)
        try tools.ask("logs", "nothing").expectSentence(["no key of a request"], status: 64)
        try tools.ask("show", "01M8K0XAHRXG97283F8YZETNEE").expectSentence(["no such request"], status: 1)
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("says where a task could start, and which gate holds it elsewhere")
    func gates() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        let host = try tools.serve("one")
        try Patience.wait(for: "the host") {
            try tools.query("SELECT status->'ready' FROM taskhost.hosts") == #"["com.example.fleet.t1"]"#
        }
        #expect(try tools.ask("why", "com.example.fleet.t1").output.contains("could start now"))
        #expect(
            try tools.ask("list").output.split(whereSeparator: \.isWhitespace).suffix(3) == [
                "com.example.fleet.t1", "one", "-",
            ])
        let own = ["--config", tools.folder.file("c/one.json").path, "--state", tools.folder.file("s/one").path]
        #expect(try Tool.run(["doctor"] + own).output.contains("1 host lives"))
        #expect(try Tool.run(["status"] + own.suffix(2)).output.contains("within reach, 0 requests of it here"))
        #expect(try Tool.run(["device"] + own.suffix(2)).output.contains("the fleet is within reach"))
        try tools.folder.write("c/none.json", #"{"fleet": {"database": "host=\#(tools.folder.path) dbname=none"}}"#)
        let lost = try Tool.run(
            "doctor", "--config", tools.folder.file("c/none.json").path, "--state", tools.folder.file("s/one").path)
        #expect(lost.status == 1 && lost.output.contains("cannot be reached"), "\(lost.output)\(lost.errors)")
        let paused = try Tool.run(
            "pause", "com.example.fleet.t1", "--state", tools.folder.file("s/one").path)
        #expect(paused.status == 0, "\(paused.output)\(paused.errors)")
        try Patience.wait(for: "the gate") {
            try tools.query("SELECT status->'held' FROM taskhost.hosts") == #"{"com.example.fleet.t1": "paused"}"#
        }
        #expect(try tools.ask("why", "com.example.fleet.t1").output.contains("held by paused"))
        #expect(try tools.ask("list").output.contains("one (paused)"))
        let document = try tools.ask("list", "--json").document
        let task = try #require((document["tasks"] as? [[String: Any]])?.first)
        #expect((task["hosts"] as? [[String: Any]])?.first?["gate"] as? String == "paused")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("gives a request to a host with its labels, and none to one that is drained")
    func places() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        let hosts = try ["one", "two"].map { try tools.serve($0) }
        try Patience.wait(for: "both hosts") {
            try tools.query("SELECT count(*) FROM taskhost.hosts WHERE state = 'live'") == "2"
        }
        #expect(try tools.fleet("drain", "one", "--database", tools.database).status == 0)
        let drained = try tools.ask("submit", "com.example.fleet.t1", "--label", "room=one", "--json")
        let key = try #require(try drained.document["request"] as? String)
        _ = try tools.ask("submit", "com.example.fleet.t1", "--label", "room=two")
        try Patience.wait(for: "a run on the host two") {
            try tools.query("SELECT count(*) FROM taskhost.runs WHERE host = 'two' AND outcome = 'succeeded'") == "1"
        }
        #expect(try tools.ask("why", key).output.contains("the host gets no new requests"))
        #expect(try tools.fleet("resume", "one", "--database", tools.database).status == 0)
        // That wakes the host, whose poll is far away.
        try Patience.wait(for: "the host one") {
            try tools.query("SELECT count(*) FROM taskhost.runs WHERE host = 'one'") == "1"
        }
        #expect(hosts.map { $0.end(SIGTERM) } == [0, 0])
        // Their last words are on the way when they end.
        try Patience.wait(for: "their leave") {
            try tools.query("SELECT string_agg(state, ' ') FROM taskhost.hosts") == "left left"
        }
    }
}

/// With a database of their own, which dies as well.
@Suite("A fleet in trouble", .plainBuild)
struct FleetTroubleTests {
    private let tools: FleetOfTools

    init() throws { tools = try FleetOfTools(PrivatePostgres()) }

    @Test("ends each request once, whatever dies, stands still or starts again")
    func troubles() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(6, "sleep 0.3")
        let hosts = try ["one", "two", "three"].map { try tools.serve($0) }
        try Patience.wait(for: "three hosts") {
            try tools.query("SELECT count(*) FROM taskhost.hosts WHERE state = 'live'") == "3"
        }
        for number in 0..<60 { _ = try tools.ask("submit", "com.example.fleet.t\(number % 6 + 1)") }
        try Patience.wait(for: "the first ends") { try Int(tools.query("SELECT count(*) FROM taskhost.runs"))! >= 6 }
        // A lease of each is under way, or was a moment ago.
        #expect(hosts[0].end(SIGKILL) != 0)
        kill(hosts[1].pid, SIGSTOP)
        try Patience.wait(for: "the end of the silent host's leases") {
            try tools.query("SELECT count(*) FROM taskhost.hosts WHERE state = 'gone'") == "2"
        }
        kill(hosts[1].pid, SIGCONT)
        try tools.server.restart()
        try Patience.wait(for: "the end of every request") {
            (try? tools.query("SELECT count(*) FROM taskhost.requests WHERE state <> 'ended'")) == "0"
        }
        #expect(try tools.query("SELECT count(*), count(DISTINCT key) FROM taskhost.runs WHERE accepted") == "60|60")
        #expect(try tools.query("SELECT count(*) FROM taskhost.requests WHERE outcome = 'succeeded'") == "60")
        #expect(try tools.query("SELECT count(*) FROM taskhost.runs WHERE accepted AND claimed > ended") == "0")
        #expect(hosts[2].isRunning && hosts[1].isRunning)
        #expect(hosts.dropFirst().map { $0.end(SIGTERM) } == [0, 0])
    }
}
