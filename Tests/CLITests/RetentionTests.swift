import Foundation
import Testing

@Suite("Old runs", .plainBuild)
struct RetentionTests {
    private func outcomes(_ folder: Folder) throws -> [String?] {
        let runs = try #require(
            try folder.ask("history", "--json", "--limit", "1000").document["runs"] as? [[String: Any]])
        return runs.map { $0["outcome"] as? String }
    }

    @Test("beyond the count are forgotten when a host starts, before it ends")
    func atStart() throws {
        let folder = try Plugin.folder(handler: "wait", budget: #"{"wallClock": "20s", "grace": "2s"}"#)
        try folder.write("good/good.json", try Plugin.manifest("com.example.good"))
        let many = try folder.ask("run", "--all", "--manifests", folder.file("good").path, "--repeat", "20")
        #expect(many.status == 0)
        #expect(try outcomes(folder).count == 20)
        let file = try folder.write("config.json", #"{"retention": {"count": 5}}"#)
        let host = try BackgroundTool([
            "run", "--all", "--manifests", folder.file("m").path, "--state", folder.file("state").path, "--config",
            file.path,
        ])
        #expect(host.waitFor("waiting"))
        _ = host.end(SIGKILL)
        // The one that its death interrupted is among the five.
        #expect(try outcomes(folder) == ["interrupted"] + Array(repeating: "succeeded", count: 4))
    }

    @Test("beyond the count are forgotten when a host ends, with their output")
    func atEnd() throws {
        let folder = try Plugin.folder(handler: "print")
        let file = try folder.write("config.json", #"{"retention": {"count": 5}}"#)
        #expect(try folder.run("--config", file.path, "--repeat", "20").status == 0)
        #expect(try outcomes(folder) == Array(repeating: "succeeded", count: 5))
        #expect(try folder.run("--config", file.path, "--quiet").status == 0)
        #expect(try outcomes(folder).count == 5)
    }

    @Test("beyond the age are forgotten, those within it are not")
    func byAge() throws {
        let folder = try Plugin.folder()
        #expect(try folder.run("--repeat", "3").status == 0)
        // Three runs of two hours ago.
        try SQLite.execute("UPDATE runs SET ended = ended - 7200000000000", on: folder.file("state/taskhost.db"))
        let day = try folder.write("day.json", #"{"retention": {"age": "1d"}}"#)
        #expect(try folder.run("--config", day.path).status == 0)
        #expect(try outcomes(folder).count == 4)
        let hour = try folder.write("hour.json", #"{"retention": {"age": "1h"}}"#)
        #expect(try folder.run("--config", hour.path).status == 0)
        #expect(try outcomes(folder).count == 2)
    }
}
