import Foundation
import Testing

@Suite("A bad manifest")
struct ManifestFaultTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var text: String
        var words: [String]
        var testDescription: String { name }
    }

    private static let task = #""com.a.b": {"kind": "processing", "handler": "succeed"}"#

    static let cases: [Case] = [
        Case(name: "not JSON", text: "hello", words: ["1:1: $: found", "expected"]),
        Case(name: "cut off", text: #"{"identifier": "com.a"#, words: ["m.json:1:", "expected"]),
        Case(
            name: "wrong types", text: #"{"identifier": 7, "library": [], "tasks": "none"}"#,
            words: ["$.identifier: found the number 7", "$.library: found an empty array", "$.tasks: found \"none\""]),
        Case(
            name: "unknown keys", text: #"{"identifier": "com.a", "libary": "libx.so", "tasks": {\#(task)}}"#,
            words: ["the unknown key \"libary\"", "did you mean \"library\"?"]),
        Case(
            name: "identifiers that are none",
            text: #"{"identifier": "feeds-", "library": "libx.so", "tasks": {"com..b": {"kind": "processing"}}}"#,
            words: ["$.identifier", "$.tasks[\"com..b\"]", "an identifier such as"]),
        Case(
            name: "a budget of zero",
            text: """
                {"identifier": "com.a", "library": "libx.so", "tasks": {"com.a.b": {"kind": "processing",
                "handler": "succeed", "budget": {"wallClock": "0s", "memory": "0B"}}}}
                """,
            words: ["budget.wallClock", "budget.memory", "2:", "a budget of zero ends every run at its start"]),
        Case(
            name: "a budget beyond any sense",
            text: """
                {"identifier": "com.a", "library": "libx.so", "tasks": {"com.a.b": {"kind": "processing",
                "handler": "succeed", "budget": {"wallClock": "9000d", "cpuTime": "99999999999999999999s"}}}}
                """,
            words: ["budget.wallClock: found \"9000d\"", "budget.cpuTime"]),
        Case(
            name: "a time zone that the machine does not have",
            text: """
                {"identifier": "com.a", "library": "libx.so", "tasks": {"com.a.b": {"kind": "processing",
                "handler": "succeed", "schedule": {"calendar": "0 3 * * *", "timeZone": "Europe/Atlantis"}}}}
                """,
            words: [
                "m.json:2:73: $.tasks[\"com.a.b\"].schedule.timeZone: found \"Europe/Atlantis\"",
                "expected a time zone that this machine has; take a name from /usr/share/zoneinfo",
            ]),
        Case(
            name: "too long", text: String(repeating: " ", count: 4 << 20) + "{}", words: ["longer than 4194304 bytes"]),
    ]

    @Test("is reported with file, line and path, all faults at once", arguments: cases)
    func faults(_ row: Case) throws {
        let folder = try Folder()
        try folder.write("m/m.json", row.text)
        for verb in [["validate", "m"], ["run", "--all", "--manifests", "m", "--state", folder.file("s").path]] {
            let tool = try Tool.run(verb, in: folder)
            tool.expectSentence(row.words, status: 65)
            #expect(tool.output.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("s").path), "nothing was started")
    }

    struct Place: CustomTestStringConvertible {
        var name: String
        var text: String
        var excerpt: [String]
        var testDescription: String { name }
    }

    static let places: [Place] = [
        Place(
            name: "a value on a separate line",
            text: """
                {"identifier": "com.a", "library": "libx.so", "tasks": {"com.a.b": {"kind": "processing",
                \t"handler": "succeed", "budget": {"wallClock": "0s"}}}}
                """,
            excerpt: [
                #"  2 |  "handler": "succeed", "budget": {"wallClock": "0s"}}}}"#,
                #"    |                                                ^~~~"#,
            ]),
        Place(
            name: "the end of a text that is cut off", text: #"{"identifier": "com.a""#,
            excerpt: [#"  1 | {"identifier": "com.a""#, "    |                       ^"]),
        Place(
            name: "a distant place of a long line",
            text: "{" + String(repeating: " ", count: 500) + #""identifier": 7, "library": "libx.so", "tasks": {}}"#,
            excerpt: [
                "  1 | …" + String(repeating: " ", count: 89) + #""identifier": 7, "libr…"#,
                "    | " + String(repeating: " ", count: 104) + "^",
            ]),
    ]

    @Test("is shown with its line, and a mark below what was found", arguments: places)
    func excerpt(_ row: Place) throws {
        let folder = try Folder()
        try folder.write("m/m.json", row.text)
        let tool = try Tool.run("validate", "m", in: folder)
        let lines = tool.errors.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("m/m.json:") == true, "\(tool.errors)")
        #expect(Array(lines.dropFirst().prefix(2)) == row.excerpt, "\(tool.errors)")
    }

    @Test("is a problem document with --json, with every fault")
    func document() throws {
        let folder = try Folder()
        try folder.write("m/m.json", #"{"identifier": 7, "library": [], "tasks": "none"}"#)
        let state = folder.file("s").path
        let tool = try Tool.run("run", "--all", "--manifests", "m", "--state", state, "--json", in: folder)
        tool.expectSentence(["bad manifests"], status: 65)
        let document = try tool.document
        #expect(document["type"] as? String == "urn:taskhost:problem:bad-manifest")
        #expect(document["exitStatus"] as? Int == 65)
        #expect("taskhost: \(document["detail"] as? String ?? "")" == tool.sentences.last)
        let errors = try #require(document["errors"] as? [[String: Any]])
        #expect(errors.map { $0["path"] as? String } == ["$.identifier", "$.library", "$.tasks"])
        #expect(errors.map { $0["line"] as? Int } == [1, 1, 1] && errors.map { $0["column"] as? Int } == [16, 30, 43])
    }

    @Test("does not stop the others")
    func others() throws {
        let folder = try Plugin.folder()
        try folder.write("m/bad.json", "{")
        #expect(try folder.run().status == 0)
        let list = try Tool.run("list", "--manifests", folder.file("m").path, "--state", folder.file("state").path)
        list.expectSentence(["1 of 2", "taskhost validate"], status: 65)
        #expect(list.output.contains("com.example.cli"))
    }

    @Test("with another's identifier is reported, and the first is named")
    func twice() throws {
        let folder = try Plugin.folder()
        try folder.write("m/again.json", try Plugin.manifest())
        let tool = try Tool.run("validate", folder.file("m").path)
        tool.expectSentence(
            ["com.example.cli.json:2:17: $.identifier", "again.json:2 has too"], status: 65)
    }

    @Test("folder that does not exist, is empty or is a link out of its root is reported")
    func folders() throws {
        let folder = try Folder()
        try folder.makeFolder("empty")
        let cases: [([String], [String])] = [
            (["--manifests", "nowhere"], ["there is no such folder or manifest; nowhere"]),
            (["--manifests", "empty"], ["there is no manifest; empty"]),
            ([], ["there are no manifests", "/etc/taskhost/manifests", "crontab -l | taskhost import", "--manifests"]),
        ]
        for (arguments, words) in cases {
            for verb in [["validate"], ["list", "--state", "s"], ["run", "--all", "--state", "s"]] {
                let tool = try Tool.run(verb + arguments, in: folder)
                #expect(tool.status == 65, "\(verb): \(tool.errors)")
                #expect(tool.sentences.allSatisfy { $0.split(separator: "; ").count >= 3 }, "\(tool.errors)")
                for word in words { #expect(tool.errors.contains(word), "\(tool.errors)") }
            }
        }
        try folder.write("elsewhere.json", try Plugin.manifest())
        try folder.makeFolder("linked")
        try FileManager.default.createSymbolicLink(
            at: folder.file("linked/m.json"), withDestinationURL: folder.file("elsewhere.json"))
        let link = try Tool.run("validate", folder.file("linked").path)
        #expect(link.status == 65)
        #expect(link.errors.contains("a symbolic link leads out of"))
    }

    @Test("that others may write is not used")
    func writable() throws {
        let folder = try Plugin.folder()
        try folder.setMode(0o666, of: "m/com.example.cli.json")
        let tool = try Tool.run("validate", folder.file("m").path)
        #expect(tool.status == 65)
        #expect(tool.errors.contains("the manifest is not used;"))
        #expect(tool.errors.contains("can be written by others (mode 666); take the right away: chmod go-w"))
    }
}
