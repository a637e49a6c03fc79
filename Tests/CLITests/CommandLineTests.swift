import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("The command line", .plainBuild)
struct CommandLineTests {
    static let verbs = [
        "run", "add", "serve", "submit", "cancel", "retry", "skip", "pause", "resume", "pending", "describe", "why",
        "status",
        "doctor", "config", "forecast", "calendar", "list", "history", "show", "logs", "top", "ui", "transfers",
        "fleet",
        "journal",
        "backup", "device", "simulate", "foreground", "background", "quit", "notify", "app", "reload", "validate",
        "new",
        "import", "learn", "budget", "check", "completion",
    ]
    /// They print no document.
    private static let wordless: Set = ["serve", "completion"]

    struct Misuse: CustomTestStringConvertible {
        var arguments: [String]
        var words: [String]
        var testDescription: String { arguments.joined(separator: " ") }
        init(_ arguments: String..., words: String...) {
            self.arguments = arguments
            self.words = words
        }
    }

    static let misuses: [Misuse] = [
        Misuse("rum", words: "unknown verb rum", "did you mean run?"),
        Misuse("lis", words: "unknown verb lis", "did you mean list?"),
        Misuse("xyzzy", words: "unknown verb xyzzy", "taskhost --help"),
        Misuse("list", "--jsno", words: "unknown option --jsno", "did you mean --json?"),
        Misuse("list", "--xyzzy", words: "unknown option --xyzzy", "taskhost list --help"),
        Misuse("list", "--json=yes", words: "--json takes no value"),
        Misuse("list", "--state", words: "--state needs a value", "--state DIR"),
        Misuse("list", "--state", "a", "--state", "b", words: "--state is given twice"),
        Misuse("list", "--state", "", words: "--state is empty"),
        Misuse("list", "x", words: "list takes no words"),
        Misuse("run", words: "nothing to run", "--all"),
        Misuse("run", "com.a.b", "--all", words: "exclude each other"),
        Misuse("run", "com.example.clo", words: "no manifest has this task; com.example.clo", "com.example.cli"),
        Misuse("run", "--all", "--profile", "ios5", words: "unknown profile ios5", "modern, ios7, ios6"),
        Misuse("run", "--all", "--repeat", "0", words: "--repeat does not take this; 0", "from 1 to"),
        Misuse("run", "--all", "--attempt", "0", words: "--attempt does not take this; 0", "from 1 to"),
        Misuse("run", "--all", "--attempt", "2", "--repeat", "2", words: "--repeat and --attempt exclude each other"),
        Misuse(
            "run", "--all", "--concurrency", "many", words: "--concurrency does not take this; many", "from 1 to 4096"),
        Misuse("run", "--all", "--settings", "{", words: "the settings are not JSON; --settings:1:"),
        Misuse("run", "--all", "--settings", "[]", words: "not a JSON object"),
        Misuse(
            "run", "--all", "--settings", "{\"a\":\"\(String(repeating: "x", count: 65_529))\"}",
            words: "the settings have 65537 bytes", "at most 65536"),
        Misuse("run", "--all", "--payload", "big", words: "larger than 131072 bytes; big"),
        Misuse("run", "--all", "--payload", "big", "--payload-text", "x", words: "exclude each other"),
        Misuse("history", "a", "b", words: "one identifier at most"),
        Misuse("history", "--limit", "0", words: "--limit does not take this; 0"),
        Misuse("show", words: "one run is needed"),
        Misuse("show", "01", words: "not a run's id; 01", "at least 8"),
        Misuse("show", "0123456789", words: "there is no such run", "taskhost history"),
        Misuse("logs", "UUUUUUUUUU", words: "not a run's id"),
        Misuse("app", words: "unquarantine or refresh on|off", "taskhost app"),
        Misuse("app", "refresh", "com.example.a", words: "unquarantine or refresh on|off"),
        Misuse("app", "refresh", "maybe", "com.example.a", words: "unquarantine or refresh on|off"),
        Misuse("lift", words: "unquarantine or refresh on|off"),
        Misuse("lif", words: "unknown verb lif", "did you mean app unquarantine?"),
        Misuse("alow", "com.example.a", words: "unknown verb alow", "did you mean app refresh on?"),
        Misuse("app", "lif", "com.example.a", words: "unknown word lif", "did you mean taskhost app unquarantine?"),
        Misuse("app", "deny", "com.example.a", words: "unknown word deny", "did you mean taskhost app refresh off?"),
        Misuse("app", "refrsh", "on", "com.example.a", words: "unknown word refrsh", "mean taskhost app refresh?"),
        Misuse("device", "rest", words: "unknown word rest", "did you mean taskhost device reset?"),
        Misuse("transfers", "cancle", "1", words: "unknown word cancle", "did you mean taskhost transfers cancel?"),
        Misuse("new", words: "one identifier is needed"),
        Misuse("new", "hello-", words: "this is not an identifier; hello-", "hyphen"),
        Misuse("new", "com.example.x", "--language", "perl", words: "unknown language perl", "c or swift"),
        Misuse("new", "com.example.x", "--language", "c", "--application", words: "written in Swift", "leave it out"),
        Misuse("new", "com.example.x", "--directory", "", words: "--directory is empty"),
        Misuse("check", words: "one library is needed"),
        Misuse("check", "nowhere.so", words: "there is no such library; nowhere.so"),
        Misuse("check", "big", "--symbol", "a", "--manifest", "b", words: "exclude each other"),
    ]

    @Test("used wrongly is answered with one sentence and status 64", arguments: misuses)
    func misuse(_ row: Misuse) throws {
        let folder = try Folder()
        try folder.write("manifests/com.example.cli.json", try Plugin.manifest())
        try folder.write("big", Data(count: 131_073))
        #expect(try Tool.run(["run", "--all", "--state", "state"], in: folder).status == 0)
        let takesState = ["run", "list", "history", "show", "logs"].contains(row.arguments[0])
        let state = takesState && !row.arguments.contains("--state") ? ["--state", "state"] : []
        let tool = try Tool.run(row.arguments + state, in: folder)
        tool.expectSentence(row.words, status: 64)
        #expect(tool.output.isEmpty)
    }

    @Test("reports what it cannot read", arguments: ["nowhere", "manifests"])
    func unreadable(_ path: String) throws {
        let folder = try Folder()
        try folder.write("manifests/com.example.cli.json", try Plugin.manifest())
        let tool = try Tool.run("run", "--all", "--state", "state", "--payload", path, in: folder)
        tool.expectSentence(["the payload cannot be read", path], status: 73)
    }

    @Test("explains every verb and each of its options", arguments: verbs)
    func help(_ verb: String) throws {
        let overview = try Tool.run("--help")
        #expect(overview.status == 0)
        #expect(overview.output.contains("\n  \(verb) "))
        for arguments in [[verb, "--help"], ["help", verb], [verb, "-h"]] {
            let help = try Tool.run(arguments)
            #expect(help.status == 0)
            #expect(help.errors.isEmpty)
            #expect(help.output.hasPrefix("usage: taskhost \(verb)"))
            #expect(
                help.output.contains("\n  --json ") != Self.wordless.contains(verb), "what answers, answers in JSON too"
            )
            #expect(help.output.contains("\n  --help "))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }

    @Test("has no verb in its overview that these tests do not know")
    func overview() throws {
        let listed = try Tool.run("--help").output.matches(of: /\n  ([a-z]+)[ ]/).map { String($0.1) }
        #expect(Set(listed) == Set(Self.verbs))
    }

    @Test("names each outcome and its exit status in the help of run", arguments: Outcome.allCases)
    func outcomes(_ outcome: Outcome) throws {
        let lines = try Tool.run("run", "--help").output.split(separator: "\n")
        let line = lines.filter { $0.firstMatch(of: /^ +[0-9]+  [A-Za-z ]+$/) != nil && $0.contains(outcome.name) }
        #expect(line.count == 1 && line.first?.contains(" \(outcome.exitStatus)  ") == true, "\(line)")
    }

    @Test("without a verb shows the overview, and fails")
    func nothing() throws {
        let tool = try Tool.run()
        #expect(tool.status == 64)
        #expect(tool.output.contains("usage: taskhost VERB"))
        let version = try Tool.run("--version")
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("taskhost "))
    }

    @Test(
        "ends with the status of the worst outcome",
        arguments: [
            ("succeed", 0, "succeeded"), ("fail", 1, "failed"), ("wait", 10, "expired"), ("hang", 11, "overran"),
            ("crash", 14, "crashed"), ("leave", 15, "exited"), ("forget", 15, "unreported"),
        ] as [(String, Int32, String)])
    func statuses(_ handler: String, _ status: Int32, _ outcome: String) throws {
        let folder = try Plugin.folder(handler: handler, budget: #"{"wallClock": "3s", "grace": "2600ms"}"#)
        try folder.write("m/good.json", try Plugin.manifest("com.example.good"))
        let tool = try Tool.run(["run", "--all", "--json", "--state", "state", "--manifests", "m"], in: folder)
        #expect(tool.status == status, "\(tool.errors)")
        let runs = try #require(try tool.document["runs"] as? [[String: Any]])
        #expect(Set(runs.compactMap { $0["outcome"] as? String }) == ["succeeded", outcome])
    }

    @Test("takes a payload as large as there may be, from a file, standard input and the command line")
    func payloads() throws {
        let folder = try Plugin.folder()
        try folder.write("big", Data(count: 131_072))
        #expect(try folder.run("--payload", folder.file("big").path).status == 0)
        #expect(try folder.run("--payload", "-").status == 0)
        #expect(try folder.run("--payload-text", "").status == 0)
    }
}

@Suite("Documentation/CommandLine.md")
struct CommandLinePageTests {
    @Test("has every verb, and each of its options", arguments: CommandLineTests.verbs)
    func page(_ verb: String) throws {
        let url = Places.root.appending(path: "Documentation/CommandLine.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        // From the heading that has the verb to the next one.
        let sections = page.split(separator: "\n### ").dropFirst()
        let section = try #require(
            sections.first { $0.prefix { $0 != "\n" }.split(separator: ", ").contains { $0 == verb } })
        let help = try Tool.run(verb, "--help").output
        for match in help.matches(of: /\n  (--[a-z-]+)/) where match.1 != "--help" {
            #expect(section.contains("`\(match.1)"), "\(match.1)")
        }
    }

    @Test("has a row for each exit status, and no other")
    func exitStatuses() throws {
        let page = try String(contentsOf: Places.root.appending(path: "Documentation/CommandLine.md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "\n## Exit status\n").last)
        let listed = table.matches(of: /\n\| ([0-9]+) \|/).compactMap { Int32($0.1) }
        #expect(Set(listed).count == listed.count, "a status has two rows")
        let known = Outcome.allCases.map(\.exitStatus) + (try ExitStatusNames.all().values)
        #expect(Set(listed) == Set(known))
    }
}
