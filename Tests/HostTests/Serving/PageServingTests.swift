import Control
import Foundation
import JSON
import TaskModel
import TestSupport
import Testing

/// What the page needs of the API beside the documents that every verb gets.
@Suite("What the page receives")
struct PageServingTests {
    private static let task = "com.example.page.work"

    /// A program that works until it is asked to end.
    private func station() throws -> Station {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.page",
                "tasks": [
                    Self.task: [
                        "kind": "processing",
                        "handler": ["command": ["/bin/sh", "-c", "trap 'exit 0' TERM; echo up; while :; do :; done"]],
                        "budget": ["wallClock": "2m", "grace": "20s", "cpuTime": "1m", "memory": "64MiB"],
                    ]
                ],
                "enforcement": "bestEffort",
            ]))
        return station
    }

    private func seconds(_ document: JSONValue, _ key: String) throws -> Double {
        Double(try #require(document.time(key), "\(key)").nanoseconds) / 1e9
    }

    @Test("A run in progress has its budget, and the times of its warning and its end")
    func standing() throws {
        let daemon = try Daemon(try station())
        _ = try daemon.ask(.post, "/v1/runs", body: #"{"identifiers":["\#(Self.task)"]}"#)
        try daemon.waitForWork(Self.task)
        let listed = try #require(try daemon.ask(.get, "/v1/runs?limit=1").document()["runs"]?.array?.first)
        let id = try #require(listed["run"]?.string)
        #expect(listed["state"]?.string == "running")
        let active = try #require(try daemon.ask(.get, "/v1/active").document()["runs"]?.array)
        #expect(active.count == 1 && active[0]["run"]?.string == id && active[0]["endsAt"]?.string != nil)
        let run = try daemon.ask(.get, "/v1/runs/\(id)").document()
        #expect(run["budget"]?["wallClock"]?.double == 120 && run["budget"]?["cpuTime"]?.double == 60)
        let start = try seconds(run, "startedAt")
        #expect(abs(try seconds(run, "warnsAt") - start - 100) < 0.05)
        #expect(abs(try seconds(run, "endsAt") - start - 120) < 0.05)

        _ = try daemon.ask(.post, "/v1/runs/\(id)/cancel")
        try daemon.wait(for: "run.ended", id)
        let ended = try daemon.ask(.get, "/v1/runs/\(id)").document()
        #expect(ended["state"]?.string == "ended" && ended["outcome"]?.string == "cancelled")
        for key in ["budget", "warnsAt", "endsAt"] {
            if case .null? = ended[key]?.content { continue }
            Issue.record("\(key) of an ended run is not null")
        }
        #expect(try daemon.ask(.get, "/v1/active").document()["runs"]?.array?.isEmpty == true)
        let task = try daemon.ask(.get, "/v1/tasks?recent=5").document()["tasks"]?.array?.first
        let recent = try #require(task?["recent"]?.array)
        #expect(recent.count == 1 && recent[0]["outcome"]?.string == "cancelled" && recent[0]["run"]?.string == id)
        // The events said the same.
        let told = try #require(data(of: "run.started", in: daemon.seen))
        #expect(told["budget"]?["memory"]?.integer == 64 << 20 && told["endsAt"]?.string == run["endsAt"]?.string)
        let expired = try #require(data(of: "run.expired", in: daemon.seen))
        #expect(abs(try seconds(expired, "endsAt") - seconds(expired, "at") - 20) < 0.05)
        #expect(try daemon.stop().status == 0)
    }

    private func data(of event: String, in text: String) -> JSONValue? {
        let block = text.components(separatedBy: "\n\n").first { $0.contains("event: \(event)\n") }
        let line = block?.components(separatedBy: "\n").first { $0.hasPrefix("data: ") }
        return line.flatMap { try? JSONParser.parse(Array($0.dropFirst(6).utf8), maximumBytes: 1 << 20) }
    }

    @Test("A stream that asks for usage gets once a second what runs use; others do not, and none does without a run")
    func usage() throws {
        let daemon = try Daemon(try station())
        let socket = daemon.station.state + "/control.sock"
        let usage = try Program(
            "curl", ["-sN", "--unix-socket", socket, "http://localhost/v1/events?usage=true"])
        try usage.wait(forText: "retry:")
        _ = try daemon.ask(.post, "/v1/runs", body: #"{"identifiers":["\#(Self.task)"]}"#)
        try daemon.waitForWork(Self.task)
        func reports() -> [JSONValue] {
            usage.output.components(separatedBy: "\n\n").filter { $0.contains("event: run.usage\n") }.compactMap {
                data(of: "run.usage", in: $0)
            }
        }
        try usage.wait(until: { _ in reports().count >= 3 }, for: "three reports")
        let seen = reports()
        let times = seen.compactMap { $0["cpuTime"]?.double }
        #expect(times.count == seen.count && times == times.sorted() && times[0] < times[2], "\(times)")
        #expect(seen.allSatisfy { $0["identifier"]?.string == Self.task && ($0["memory"]?.integer ?? 1) > 0 })
        #expect(seen[1]["endsAt"]?.string != nil)
        let id = try #require(seen[0]["run"]?.string)
        _ = try daemon.ask(.post, "/v1/runs/\(id)/cancel")
        try daemon.wait(for: "run.ended", id)
        #expect(daemon.count("run.usage", Self.task) == 0)
        // A later event comes after all reports that there will be.
        let before = reports().count
        try daemon.tell("device", "set", "power=battery")
        try usage.wait(until: { $0.contains("event: device") }, for: "the device")
        #expect(reports().count - before <= 1)
        try usage.signal(SIGTERM)
        _ = try usage.finish()
        #expect(try daemon.stop().status == 0)
    }

    @Test("The waits of a task list its runs and what waits now")
    func waits() throws {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.page",
                "tasks": [
                    Self.task: [
                        "kind": "processing", "handler": ["command": ["/bin/true"]],
                        "requires": ["externalPower": true],
                    ]
                ],
            ]))
        let daemon = try Daemon(station)
        try daemon.tell("device", "set", "power=battery")
        try daemon.tell("submit", Self.task)
        try daemon.waitUntil { try daemon.why(Self.task).holding == ["externalPower"] }
        try daemon.tell("device", "set", "power=external")
        try daemon.wait(for: "run.ended", Self.task)
        try daemon.tell("device", "set", "power=battery")
        try daemon.tell("submit", Self.task)
        let path = "/v1/tasks/\(Self.task)/waits"
        let request = try daemon.ask(.get, "/v1/requests").document()["requests"]?.array?.first
        #expect(request?["heldBy"]?.array?.compactMap(\.string) == ["externalPower"])
        let spans = try #require(try daemon.ask(.get, path).document()["waits"]?.array)
        let power = spans.filter { $0["gate"]?.string == "externalPower" }
        #expect(power.count == 2, "\(spans)")
        #expect(power[0]["to"]?.string != nil && power[1]["to"]?.string == nil)
        #expect(try seconds(power[0], "to") <= seconds(power[1], "from"))
        let later = try daemon.ask(.get, path + "?since=2099-01-01T00:00:00Z").document()["waits"]?.array
        #expect(later?.isEmpty == true)
        #expect(try daemon.ask(.get, "/v1/tasks/com.example.none/waits").status == 404)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Manifests are listed with their faults, and the page's files are those of the program")
    func manifests() throws {
        let station = try station()
        try Data("{\"identifier\": 5}".utf8).write(to: station.manifestFolder.appending(path: "bad.json"))
        let daemon = try Daemon(station)
        let document = try daemon.ask(.get, "/v1/manifests").document()
        let listed = try #require(document["manifests"]?.array)
        let good = try #require(listed.first { $0["application"]?.string == "com.example.page" })
        let bad = try #require(listed.first { $0["path"]?.string?.hasSuffix("bad.json") == true })
        #expect(good["isUsed"]?.bool == true && bad["isUsed"]?.bool == false)
        #expect(bad["faults"]?.array?.contains { $0.string?.contains("$.identifier") == true } == true, "\(bad)")

        let host = try daemon.ask(.get, "/v1/host").document()
        #expect(host["mayChange"]?.bool == true && host["name"]?.string?.isEmpty == false)
        for (name, mark) in [
            ("index.html", "<!doctype html>"), ("app.js", "import"), ("scripts/host.js", "/v1/"), ("app.css", "{"),
            ("icon.svg", "<svg"),
        ] {
            let reply = try daemon.ask(.get, "/ui/\(name)")
            #expect(reply.status == 200 && reply.text.lowercased().contains(mark), "\(name)")
        }
        for name in ["other.js", "scripts/other.js"] { #expect(try daemon.ask(.get, "/ui/\(name)").status == 404) }
        #expect(try daemon.stop().status == 0)
    }
}
