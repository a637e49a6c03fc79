import Foundation
import Testing

@Suite("Standard output", .plainBuild)
struct OutputTests {
    @Test(
        "that is closed, abandoned or full is reported, and the run is recorded all the same",
        arguments: [
            (">&-", "it is closed"), (">/dev/full", "No space left on device"),
            // The reader closes its end before it lets the program begin.
            ("| { exec <&-; echo >gone; }", "its reader has closed it"),
        ])
    func lost(_ redirection: String, _ word: String) throws {
        let folder = try Plugin.folder(handler: "print")
        let wait = redirection.hasPrefix("|") ? "read _ <gone;" : ""
        let tool = try Tool.shell(
            """
            mkfifo gone
            { \(wait) "$taskhost" run com.example.cli --manifests m --state state --quiet; echo "status $?" >&2; } \(redirection)
            """, in: folder)
        #expect(tool.errors.contains("status 74"), "\(tool.errors)")
        #expect(tool.sentences.count == 1)
        #expect(tool.errors.contains("taskhost: the results could not be printed; standard output: \(word); "))
        let runs = try #require(try folder.ask("history", "--json").document["runs"] as? [[String: Any]])
        #expect(runs.map { $0["outcome"] as? String } == ["succeeded"])
    }

    @Test("that is closed hides no outcome behind its own status")
    func outcomeFirst() throws {
        let folder = try Plugin.folder(handler: "fail")
        let tool = try Tool.shell(
            #""$taskhost" run com.example.cli --manifests m --state state >&-; echo "status $?" >&2"#, in: folder)
        #expect(tool.errors.contains("status 1\n"), "\(tool.errors)")
    }

    @Test("and input and error that are closed harm no file")
    func allClosed() throws {
        let folder = try Plugin.folder()
        for _ in 0..<2 {
            _ = try Tool.shell(
                #""$taskhost" run com.example.cli --manifests m --state state <&- >&- 2>&-; true"#, in: folder)
        }
        let history = try folder.ask("history", "--json")
        let runs = try #require(try history.document["runs"] as? [[String: Any]])
        #expect(runs.map { $0["outcome"] as? String } == ["succeeded", "succeeded"], "\(history.errors)")
    }

    @Test(
        "is a problem document when a verb with --json fails, and the sentence stays on standard error",
        arguments: [
            (["list", "--jsno", "--json"], "usage", 64), (["histroy", "--json"], "usage", 64),
            (["reload", "--state", "none", "--json"], "unreachable", 69),
            (["history", "--state", "/dev/null/x", "--json"], "record", 73),
            (["list", "--config", "c.json", "--json"], "bad-manifest", 65),
        ])
    func problem(_ arguments: [String], _ type: String, _ status: Int) throws {
        let folder = try Folder()
        try folder.write("c.json", #"{"prfile": "modern"}"#)
        let tool = try Tool.run(arguments, in: folder)
        #expect(Int(tool.status) == status, "\(tool.errors)")
        let document = try tool.document
        #expect(document["type"] as? String == "urn:taskhost:problem:\(type)")
        #expect(document["exitStatus"] as? Int == status)
        #expect(document["status"] is NSNull)
        #expect("taskhost: \(document["detail"] as? String ?? "")" == tool.sentences.last)
    }

    @Test("is the daemon's own problem document when it refuses")
    func refusal() throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        let tool = try folder.ask("show", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--json")
        tool.expectSentence(["there is no such run; 01ARZ3NDEKTSV4RRFFQ69G5FAV; see taskhost history"], status: 64)
        let document = try tool.document
        #expect(document["type"] as? String == "urn:taskhost:problem:no-such-run", "\(document)")
        #expect(document["status"] as? Int == 404 && document["exitStatus"] as? Int == Int(tool.status))
    }

    @Test("is plain text without colour or moving lines when it is no terminal")
    func plain() throws {
        let tool = try Plugin.folder().run()
        #expect(!tool.output.contains("\u{1B}") && !tool.errors.contains("\u{1B}") && !tool.errors.contains("\r"))
    }
}
