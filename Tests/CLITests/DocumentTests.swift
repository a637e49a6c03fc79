import Foundation
import Testing

@Suite("--json", .plainBuild)
struct DocumentTests {
    static let runKeys: Set = [
        "run", "identifier", "application", "attempt", "outcome", "reason", "submittedAt", "startedAt", "expiredAt",
        "endedAt", "wallTime", "cpuTime", "peakMemory", "signal", "exitStatus", "degraded", "diagnostics", "result",
        "gate", "frozenTime", "pauses", "origin", "kind", "state", "budget", "warnsAt", "endsAt", "lastLine",
        "unlikeItself",
        "wroteErrors",
    ]

    private func keys(_ value: Any?) -> Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }

    @Test("of run has every key, null where there is nothing")
    func run() throws {
        for handler in ["succeed", "crash", "absent"] {
            let folder = try Plugin.folder(handler: handler == "absent" ? "succeed" : handler)
            if handler == "absent" {  // refused: nothing of it ever started
                try Plugin.compile(
                    "void nowhere(void); void succeed(void) { nowhere(); }", to: folder.file("m/libx.so"))
                try folder.write("m/com.example.cli.json", try Plugin.manifest(library: "libx.so"))
            }
            let tool = try folder.run("--json")
            #expect(keys(try tool.document) == ["runs"])
            let runs = try #require(try tool.document["runs"] as? [[String: Any]])
            #expect(runs.count == 1)
            #expect(Set(runs[0].keys) == Self.runKeys)
            let started = runs[0]["startedAt"] as? String
            #expect((started == nil) == (handler == "absent"))
            if let started { #expect(started.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil) }
            #expect((runs[0]["signal"] as? Int == 11) == (handler == "crash"))
            #expect(runs[0]["expiredAt"] is NSNull)
        }
    }

    @Test("of repeated runs is a summary")
    func summary() throws {
        let folder = try Plugin.folder()
        let summary = try #require(
            try folder.run("--json", "--repeat", "25", "--concurrency", "4").document["summary"] as? [String: Any])
        #expect(Set(summary.keys) == ["runs", "wallTime", "runsPerSecond", "latency", "outcomes"])
        #expect(keys(summary["latency"]) == ["p50", "p99", "max"])
        #expect(summary["runs"] as? Int == 25)
        #expect((summary["outcomes"] as? [String: Int]) == ["succeeded": 25])
    }

    @Test("of history, show and logs has the same runs as that of run")
    func past() throws {
        let folder = try Plugin.folder(handler: "print")
        let empty = try folder.ask("history", "--json")
        #expect(empty.status == 0)
        #expect((try empty.document["runs"] as? [Any])?.isEmpty == true)
        let run = try #require((try folder.run("--json").document["runs"] as? [[String: Any]])?.first)
        let id = try #require(run["run"] as? String)

        let listed = try #require((try folder.ask("history", "--json").document["runs"] as? [[String: Any]])?.first)
        #expect(NSDictionary(dictionary: listed) == NSDictionary(dictionary: run))
        let shown = try folder.ask("show", id, "--json").document
        #expect(
            Set(shown.keys)
                == Self.runKeys.union([
                    "confinement", "memoryAtStart", "output", "payload", "settings", "waits", "events", "frames",
                    "termination",
                ]))
        let events = try #require(shown["events"] as? [[String: Any]])
        #expect(events.allSatisfy { Set($0.keys) == ["event", "at", "because"] })
        #expect(events.map { $0["event"] as? String } == ["submitted", "launched", "started", "completed", "ended"])
        let logs = try folder.ask("logs", String(id.prefix(10)).lowercased(), "--json").document
        #expect(Set(logs.keys) == ["run", "output", "dropped", "lines"])
        let line = try #require((logs["lines"] as? [[String: Any]])?.first)
        #expect(Set(line.keys) == ["at", "stream", "text", "isWhole"])
        #expect((logs["output"] as? String)?.utf8.count == 10_000)
        #expect(logs["dropped"] as? Int == 0)
    }

    @Test("of list has each task with its last run")
    func list() throws {
        let folder = try Plugin.folder()
        func task() throws -> [String: Any] {
            let tool = try folder.ask("list", "--json", "--manifests", folder.file("m").path)
            return try #require((try tool.document["tasks"] as? [[String: Any]])?.first)
        }
        let before = try task()
        #expect(
            Set(before.keys) == [
                "identifier", "application", "name", "user", "confinement", "kind", "priority", "state", "budget",
                "pending",
                "waiting",
                "next",
                "lastRun",
                "lastTermination", "forceQuit", "refreshDenied",
            ])
        #expect(keys(before["budget"]) == ["wallClock", "cpuTime", "memory", "disk", "grace"])
        #expect(before["lastRun"] is NSNull && before["name"] is NSNull)
        #expect(try folder.run().status == 0)
        #expect(keys(try task()["lastRun"]) == Self.runKeys)
    }

    @Test("of validate has every fault in parts")
    func validate() throws {
        let folder = try Plugin.folder()
        let good = try Tool.run("validate", folder.file("m").path, "--json")
        #expect(good.status == 0)
        let keys: Set = ["valid", "manifests", "applications", "users", "unreadable", "diagnostics"]
        #expect(Set(try good.document.keys) == keys)
        #expect(try good.document["valid"] as? Bool == true)
        try folder.write("m/bad.json", "{\n}")
        let bad = try Tool.run("validate", folder.file("m").path, "--json")
        #expect(bad.status == 65)
        #expect(try bad.document["valid"] as? Bool == false)
        let faults = try #require(try bad.document["diagnostics"] as? [[String: Any]])
        #expect(!faults.isEmpty)
        for fault in faults {
            #expect(
                Set(fault.keys) == ["severity", "file", "line", "column", "path", "found", "expected", "hint"])
        }
    }
}
