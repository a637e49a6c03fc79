import Foundation
import TestSupport
import Testing

/// Tasks after others under a daemon: each follows in the commit of the run before it.
@Suite("Tasks after others, and what answers a failure")
struct SequenceRunTests {
    private func manifest(first: String) -> ManifestText {
        func task(_ script: String, _ more: [String: Any] = [:]) -> [String: Any] {
            ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]]].merging(more) { $1 }
        }
        return ManifestText(members: [
            "identifier": "com.example.chain",
            "tasks": [
                "com.example.chain.dump": task(first, ["onFailure": "com.example.chain.alert"]),
                "com.example.chain.upload": task("echo uploading", ["after": "com.example.chain.dump"]),
                "com.example.chain.alert": task("read -r line; echo \"$line\""),
            ],
        ])
    }

    private func ran(_ daemon: Daemon, _ name: String) throws -> RunDocument? {
        try daemon.station.history().first { $0.identifier == "com.example.chain.\(name)" && $0.outcome != nil }
    }

    @Test("A success is followed by what comes after it, and why and forecast say so")
    func follows() throws {
        let station = try Station()
        try station.add(manifest(first: "true"))
        let daemon = try Daemon(station)
        #expect(try daemon.why("com.example.chain.upload").summary.contains("runs after com.example.chain.dump"))
        #expect(try station.start(["submit", "com.example.chain.dump"]).finish().succeeded)
        let forecast = try station.start(["forecast", "--json"]).finish()
        let isOver = try ran(daemon, "upload") != nil
        #expect(forecast.output.contains("com.example.chain.upload") || isOver)
        try daemon.waitUntil { try ran(daemon, "upload") != nil }
        #expect(try ran(daemon, "upload")?.outcome == "succeeded")
        #expect(try ran(daemon, "alert") == nil)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A failure is answered after the last try, with the record as payload")
    func answers() throws {
        let station = try Station()
        try station.add(manifest(first: "echo broken; exit 3"))
        let daemon = try Daemon(station)
        #expect(try station.start(["submit", "com.example.chain.dump"]).finish().succeeded)
        try daemon.waitUntil { try ran(daemon, "alert") != nil }
        let text = try station.logs(try #require(try ran(daemon, "alert"))).text
        let record = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        #expect(record["identifier"] as? String == "com.example.chain.dump")
        #expect(record["outcome"] as? String == "failed" && record["exitStatus"] as? Int == 3)
        let failed = try ran(daemon, "dump")
        #expect(record["run"] as? String == failed?.run)
        #expect(try ran(daemon, "upload") == nil)
        #expect(try daemon.stop().status == 0)
    }
}
