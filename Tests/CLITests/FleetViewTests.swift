import Control
import Foundation
import JSON
import TestSupport
import Testing

/// What a host shows of its whole fleet.
@Suite("A fleet, seen from a host", .plainBuild)
struct FleetViewTests {
    private let tools: FleetOfTools

    init() throws { tools = try FleetOfTools(PrivatePostgres.shared()) }

    private func view(of name: String) throws -> JSONValue {
        try JSONParser.parse(tools.get("/v1/fleet", of: name), maximumBytes: 1 << 20)
    }

    /// What waits has waited for an hour.
    private func letWait() throws {
        let hour = "interval '1 hour'"
        _ = try tools.query(
            "UPDATE taskhost.request SET submitted = submitted - \(hour), free = free - \(hour) WHERE NOT leased")
    }

    @Test("has its hosts, what they hold, and what waits; and metrics say for how long")
    func view() throws {
        #expect(try tools.fleet("init", tools.database).status == 0)
        let gate = tools.folder.file("gate").path
        try tools.writeTasks(1, "while [ ! -e \(gate) ]; do sleep 0.1; done")
        let host = try tools.serve("one")
        try Patience.wait(for: "the host") {
            try tools.query("SELECT status->'ready' FROM taskhost.hosts") == #"["com.example.fleet.t1"]"#
        }
        _ = try tools.ask("submit", "com.example.fleet.t1")
        try Patience.wait(for: "its run") {
            try tools.query("SELECT count(*) FROM taskhost.requests WHERE state = 'leased'") == "1"
        }
        // Nobody installs that one.
        _ = try tools.ask("submit", "com.example.fleet.unknown", "--label", "room=none")
        try letWait()
        let document = try view(of: "one")
        let faults = try #require(Route.fleet.schema).faults(in: document)
        #expect(faults.isEmpty, "\(faults)")
        #expect(document["reached"]?.bool == true && document["host"]?.string == "one")
        let hosts = try #require(document["hosts"]?.array)
        #expect(hosts.map { $0["state"]?.string } == ["live"] && hosts.first?["conditions"]?["power"]?.string != nil)
        let requests = try #require(document["requests"]?.array)
        #expect(requests.map { $0["state"]?.string } == ["leased", "waiting"])
        #expect(requests.map { $0["leaseEnds"]?.string != nil } == [true, false])
        let listed = try tools.fleet("--database", tools.database).output
        #expect(listed.contains("com.example.fleet.t1") && listed.contains("power="), "\(listed)")

        // The host has one of the task in reserve at most.
        _ = try tools.ask("submit", "com.example.fleet.t1")
        try Patience.wait(for: "the reserve") {
            try tools.query("SELECT count(*) FROM taskhost.requests WHERE state = 'leased'") == "2"
        }
        _ = try tools.ask("submit", "com.example.fleet.t1")
        try letWait()
        let metrics = try tools.get("/metrics", of: "one")
        let age = metrics.firstMatch(
            of: /taskhost_fleet_oldest_request_age_seconds\{queue="com.example.fleet.t1"\} ([0-9.]+)/)
        #expect(try Double(#require(age).1).map { 3600...7200 ~= $0 } == true, "\(metrics)")
        #expect(!metrics.contains("fleet.unknown"))
        try tools.folder.write("gate", "")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("is what it was, when the database does not answer, and says so")
    func unreached() throws {
        let server = try PrivatePostgres()
        let tools = try FleetOfTools(server)
        #expect(try tools.fleet("init", tools.database).status == 0)
        try tools.writeTasks(1, "exit 0")
        let host = try tools.serve("one")
        try Patience.wait(for: "the host") {
            try JSONParser.parse(tools.get("/v1/fleet", of: "one"), maximumBytes: 1 << 20)["reached"]?.bool == true
        }
        try server.stop()
        try Patience.wait(for: "the loss") {
            try JSONParser.parse(tools.get("/v1/fleet", of: "one"), maximumBytes: 1 << 20)["reached"]?.bool == false
        }
        let document = try JSONParser.parse(tools.get("/v1/fleet", of: "one"), maximumBytes: 1 << 20)
        #expect(document["hosts"]?.array?.count == 1 && document["asOf"]?.string != nil)
        #expect(try !tools.get("/metrics", of: "one").contains("oldest_request"))
        try server.goOn()
        #expect(host.end(SIGTERM) == 0)
    }
}
