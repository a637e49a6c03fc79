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
        #expect(first.status == 0 && first.output.contains("version 1, is made"), "\(first.output)\(first.errors)")
        let second = try tools.fleet("init", tools.database, "--json")
        #expect(try second.document["made"] as? Bool == false)
        let hosts = try tools.fleet("--database", tools.database)
        #expect(hosts.status == 0 && hosts.output.contains("no host has joined yet"))
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
        _ = try tools.query("UPDATE taskhost.meta SET version = 2")
        try tools.fleet("init", tools.database).expectSentence(
            ["2, and this taskhost knows 1", "install a newer taskhost"], status: 1)
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
        #expect(try tools.ask("why", key).output.contains("has ended: cancelled"))
        #expect(try tools.ask("pending").output.contains("no request of the fleet is pending"))
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
        // Another one wakes the host, whose poll is far away.
        _ = try tools.ask("submit", "com.example.fleet.t1", "--label", "room=one")
        try Patience.wait(for: "the host one") {
            try tools.query("SELECT count(*) FROM taskhost.runs WHERE host = 'one'") == "2"
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
