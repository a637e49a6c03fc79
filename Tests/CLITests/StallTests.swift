import Foundation
import Testing

@Suite("Continued processing", .plainBuild)
struct StallTests {
    @Test("has no time limit, but is warned and then killed when its progress stalls")
    func stall() throws {
        let folder = try Folder()
        try folder.write(
            "m/com.example.s.json",
            """
            {"identifier": "com.example.s", "tasks": {
              "com.example.s.still": {
                "kind": "continuedProcessing", "budget": {"stall": "1s", "grace": "500ms"},
                "handler": {"library": "libc.so.6", "symbol": "sleep", "signature": "u32(u32)", "arguments": [60]}},
              "com.example.s.quick": {
                "kind": "continuedProcessing",
                "handler": {"library": "libc.so.6", "symbol": "sync", "signature": "void()"}}}}
            """)
        let places = ["--manifests", folder.file("m").path, "--state", folder.file("state").path]
        let tool = try Tool.run(["run", "--all", "--json"] + places)
        let runs = try #require(tool.document["runs"] as? [[String: Any]])
        let still = try #require(runs.first { $0["identifier"] as? String == "com.example.s.still" })
        #expect(still["outcome"] as? String == "overran" && still["reason"] as? String == "noProgress", "\(still)")
        #expect(try #require(still["wallTime"] as? Double) >= 1.5)
        let quick = try #require(runs.first { $0["identifier"] as? String == "com.example.s.quick" })
        #expect(quick["outcome"] as? String == "succeeded", "\(quick)")
        let list = try Tool.run(["list", "--json"] + places)
        let tasks = try #require(list.document["tasks"] as? [[String: Any]])
        #expect(tasks.count == 2)
        for task in tasks {
            let budget = try #require(task["budget"] as? [String: Any])
            #expect(budget["wallClock"] is NSNull, "\(budget)")
        }
        #expect(try Tool.run(["list"] + places).output.contains("continuedProcessing    none"))
    }
}
