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

    @Test("What each run prints is given to a task, which loses nothing while it waits, and silence is not")
    func tells() throws {
        let station = try Station()
        func program(_ script: String, _ more: [String: Any] = [:]) -> [String: Any] {
            ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]], "requires": ["idle": false]]
                .merging(more) { $1 }
        }
        let reader = ["onOutput": "com.example.chain.mail"]
        // The reader's own run goes on until two more have printed, whose texts therefore wait together.
        let waiting =
            "read -r first; echo \"$first\"; cat; until test -e \(station.folder.path)/go; do sleep 0.05; done"
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.chain",
                "permissions": ["read": [station.folder.path], "execute": ["/usr/bin"]],
                "tasks": [
                    "com.example.chain.first": program("echo out; echo err >&2; exit 3", reader),
                    "com.example.chain.second": program("head -c 40000 /dev/zero | tr '\\0' x", reader),
                    "com.example.chain.third": program("echo three", reader),
                    "com.example.chain.silent": program("true", reader),
                    "com.example.chain.mail": program(waiting),
                ],
            ]))
        let daemon = try Daemon(station)
        for name in ["silent", "first"] {
            #expect(try station.start(["submit", "com.example.chain.\(name)"]).finish().succeeded)
            try daemon.waitUntil { try ran(daemon, name) != nil }
        }
        try daemon.waitUntil { try station.history().contains { $0.identifier == "com.example.chain.mail" } }
        for name in ["second", "third"] {
            #expect(try station.start(["submit", "com.example.chain.\(name)"]).finish().succeeded)
            try daemon.waitUntil { try ran(daemon, name) != nil }
        }
        try station.folder.write("go", "")
        func mails() throws -> [RunDocument] {
            try station.history().filter { $0.identifier == "com.example.chain.mail" && $0.outcome != nil }
        }
        try daemon.waitUntil { try mails().count == 2 }
        let texts = try mails().sorted { $0.run < $1.run }.map { try station.logs($0).text }
        let lines = texts[0].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[..<2] == ["com.example.chain.first: failed, exit status 3", ""], "\(texts[0])")
        #expect(Set(lines[2..<4]) == ["out", "err"], "\(texts[0])")
        let second = try #require(try ran(daemon, "second")).run
        let end = String(repeating: "x", count: 16 << 10)
        #expect(
            texts[1]
                == "com.example.chain.second: succeeded\n\n\(end)\n[7232 bytes are left out here; taskhost logs \(second)]\n\(end)\n"
                + "\ncom.example.chain.third: succeeded\n\nthree\n", "\(texts[1].count)")
        #expect(try station.history().filter { $0.identifier == "com.example.chain.mail" }.count == 2)
        #expect(try daemon.stop().status == 0)
    }
}
