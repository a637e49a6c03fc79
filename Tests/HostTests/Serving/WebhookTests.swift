import Foundation
import TestSupport
import Testing

/// What `onFailure` does beside tasks: programs, and webhooks by the transfer process.
@Suite("What answers a failure outside of the manifest's tasks")
struct WebhookTests {
    private static let name = "com.example.hook"

    private func manifest(
        _ answer: [String: Any], network: [String], script: String = "exit 3", count: Int = 1
    ) -> ManifestText {
        var tasks: [String: Any] = [:]
        for number in 0..<count {
            tasks["\(Self.name).dump\(number)"] = [
                "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]], "onFailure": answer,
            ]
        }
        return ManifestText(members: [
            "identifier": Self.name, "permissions": ["network": network], "tasks": tasks,
        ])
    }

    private func fail(_ daemon: Daemon, task: Int = 0) throws -> RunDocument {
        _ = try daemon.station.start(["run", "\(Self.name).dump\(task)"], manifests: false).finish()
        let runs = try daemon.station.history().filter { $0.identifier == "\(Self.name).dump\(task)" }
        return try #require(runs.last)
    }

    private func metric(_ daemon: Daemon, _ result: String) throws -> Int {
        let command = try Command.run(
            "curl", ["-sSf", "--unix-socket", daemon.station.state + "/control.sock", "http://localhost/metrics"])
        let name = "taskhost_outgoing_total"
        return try Int(
            Exposition(command.output, isOpenMetrics: false).value(name, ["kind": "webhooks", "result": result]) ?? -1)
    }

    /// Waits for a line of the log, which follows the record.
    private func diagnostics(_ daemon: Daemon, _ run: RunDocument, _ words: String, after line: String) throws {
        try daemon.program.wait(forText: line)
        let diagnostics = try daemon.station.show(run).diagnostics
        #expect(diagnostics.contains { $0.contains(words) }, "\(diagnostics)")
    }

    @Test("A record that was not delivered when the host ended is sent by the next one, and show says so meanwhile")
    func survives() throws {
        let receiver = try Receiver("503/60", "200")
        let station = try Station()
        try station.configure("log", "all")
        try station.add(manifest(["webhook": "\(receiver.address)/a"], network: ["loopback:\(receiver.port)"]))
        let first = try Daemon(station)
        let run = try fail(first)
        _ = try receiver.wait(for: 1)
        #expect(try first.stop().status == 0)
        let owed = try station.show(run).diagnostics
        #expect(owed.contains("its failure is to be told to \(receiver.address)"), "\(owed)")
        let second = try Daemon(station)
        let requests = try receiver.wait(for: 2)
        try #require(requests.map(\.answer) == ["503/60", "200"])
        #expect(String(decoding: requests[1].body, as: UTF8.self).contains(run.run))
        try diagnostics(second, run, "its failure was told to \(receiver.address)", after: "a webhook was told")
        #expect(try second.stop().status == 0)
    }

    @Test("A webhook gets the record, and is asked again while it is not well")
    func tells() throws {
        let receiver = try Receiver("503", "429/1", "200")
        let station = try Station()
        try station.configure("log", "all")
        try station.add(
            manifest(["webhook": "\(receiver.address)/a/secret?b=c"], network: ["loopback:\(receiver.port)"]))
        let daemon = try Daemon(station)
        let described = try daemon.tell("describe", "\(Self.name).dump0")
        #expect(described.contains("POST to \(receiver.address)\n") && !described.contains("secret"))
        let run = try fail(daemon)
        let requests = try receiver.wait(for: 3)
        #expect(requests.map(\.answer) == ["503", "429/1", "200"])
        for request in requests {
            #expect(request.path == "/a/secret?b=c" && request.type == "application/json")
            let record = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
            #expect(record["run"] as? String == run.run && record["identifier"] as? String == run.identifier)
            #expect(record["outcome"] as? String == "failed" && record["exitStatus"] as? Int == 3)
        }
        try diagnostics(
            daemon, run, "its failure was told to \(receiver.address): answered with status 200",
            after: "a webhook was told; \(receiver.address): answered with status 200")
        #expect(try metric(daemon, "delivered") == 1 && metric(daemon, "retried") == 2)
        #expect(try metric(daemon, "dropped") == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A webhook that refuses is not asked again, and success is not reported")
    func refused() throws {
        let receiver = try Receiver("400", "204")
        let station = try Station()
        try station.configure("log", "all")
        try station.add(
            manifest(
                ["webhook": receiver.address], network: ["127.0.0.1:\(receiver.port)"],
                script: "read -r line; test \"$line\" = well", count: 2))
        let daemon = try Daemon(station)
        _ = try station.start(["run", "\(Self.name).dump1", "--payload-text", "well"], manifests: false).finish()
        let first = try fail(daemon)
        try diagnostics(
            daemon, first, "could not be told to \(receiver.address): answered with status 400",
            after: "webhooks are lost; \(receiver.address): answered with status 400")
        let second = try fail(daemon, task: 1)
        try diagnostics(daemon, second, "answered with status 204", after: "webhooks get through again")
        #expect(try receiver.wait(for: 2).map(\.answer) == ["400", "204"])
        #expect(try metric(daemon, "delivered") == 1 && metric(daemon, "dropped") == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A redirect to what the permissions do not grant is not followed")
    func redirected() throws {
        let receiver = try Receiver("200")
        let server = try WebServer(locations: "location /hook { return 307 \(receiver.address)/; }")
        let station = try Station()
        let url = server.url("hook")
        try station.add(manifest(["webhook": url], network: ["127.0.0.1:\(server.port())"]))
        let daemon = try Daemon(station)
        try diagnostics(
            daemon, try fail(daemon), "is not among the application's permissions.network", after: "webhooks are lost")
        #expect(try metric(daemon, "dropped") == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Receivers that hang, drip or are gone delay no run, and what is too much for them is counted")
    func hanging() throws {
        let hanging = try Receiver("hang")
        let dripping = try Receiver("drip")
        let gone = try Receiver("200")
        try gone.stop()
        let station = try Station()
        var tasks: [String: Any] = [:]
        for (number, receiver) in [hanging, dripping, gone].enumerated() {
            tasks["\(Self.name).dump\(number)"] = [
                "kind": "processing", "handler": ["command": ["/bin/false"]],
                "onFailure": ["webhook": receiver.address],
            ]
        }
        try station.add(
            ManifestText(members: [
                "identifier": Self.name, "permissions": ["network": ["loopback:*"]], "tasks": tasks,
            ]))
        let daemon = try Daemon(station)
        // One more than wait, in three lanes.
        for number in 0..<33 { _ = try fail(daemon, task: number % 3) }
        try hanging.wait(for: 1)
        try dripping.wait(for: 1)
        let history = try station.history()
        #expect(history.count == 33 && history.allSatisfy { $0.outcome == "failed" })
        #expect(try metric(daemon, "dropped") >= 1 && metric(daemon, "delivered") == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A program gets the record as a separate task")
    func program() throws {
        let station = try Station()
        try station.add(manifest(["command": ["/bin/sh", "-c", "read -r line; echo \"$line\"; exit 4"]], network: []))
        let daemon = try Daemon(station)
        let name = "\(Self.name).dump0.onFailure"
        #expect(try daemon.tell("list").contains(name))
        #expect(try daemon.tell("describe", "\(Self.name).dump0").contains(name))
        let run = try fail(daemon)
        try daemon.waitUntil { try station.history().contains { $0.identifier == name && $0.outcome != nil } }
        let answer = try #require(try station.history().first { $0.identifier == name })
        let text = try station.logs(answer).text
        let record = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        #expect(record["run"] as? String == run.run && answer.outcome == "failed")
        // Its own failure has no answer.
        _ = try fail(daemon)
        try daemon.waitUntil { try station.history().count { $0.identifier == name && $0.outcome != nil } == 2 }
        #expect(try station.history().count == 4)
        #expect(try daemon.stop().status == 0)
    }
}
