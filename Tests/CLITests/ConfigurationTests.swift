import Foundation
import Testing

@Suite("The host's configuration", .plainBuild)
struct ConfigurationTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var words: [String]
        var testDescription: String { text }
        init(_ text: String, _ words: String...) {
            self.text = text
            self.words = words
        }
    }

    static let faults: [Case] = [
        Case("hello", "1:1: $: found"),
        Case("[]", "$: found an empty array; expected an object, the host's configuration"),
        Case(#"{"concurency": 3}"#, "the unknown key \"concurency\"", "did you mean \"concurrency\"?"),
        Case(#"{"profile": "ios5"}"#, "$.profile", "\"modern\", \"ios7\", \"ios6\""),
        Case(#"{"concurrency": 0, "processes": 1}"#, "$.concurrency", "from 1 to 4096", "$.processes", "from 16 to"),
        Case(#"{"users": {"first": 5, "count": 0}}"#, "$.users.first", "from 1000", "$.users.count"),
        Case(#"{"users": {"first": 4294967290, "count": 10}}"#, "$.users: found users up to 4294967299"),
        Case(#"{"users": {"first": 4294967293, "count": 2}}"#, "a last user of 4294967293 at most", "up to 4294967294"),
        Case(#"{"users": {"first": 4294967294, "count": 1}}"#, "$.users.first", "from 1000 to 4294967293"),
        Case(#"{"users": {"first": 100000}}"#, "$.users.count: found nothing", "add \"count\""),
        Case(
            "{\n\"retention\": {\"age\": 30,\n\"count\": \"5\"}}", "2:22: $.retention.age", "\"30s\", with its unit",
            "3:10:"),
        Case(#"{"output": "1GiB", "fileSize": "1B"}"#, "$.output", "\"64MiB\"", "$.fileSize", "\"1MiB\""),
        Case(#"{"control": "cgroups"}"#, "$.control", "\"auto\", \"unified\", \"hybrid\", \"legacy\", \"none\""),
        Case(#"{"launch": "1ms", "idleWorker": "2d"}"#, "$.launch", "\"100ms\"", "$.idleWorker", "\"1d\""),
        Case(
            #"{"suspendAfter": "2d", "suspendedApplications": 5000, "limits": {"backgroundTime": "1ms", "event": "1h"}}"#,
            "$.suspendAfter", "$.suspendedApplications", "from 0 to 4096", "$.limits.backgroundTime", "\"1s\"",
            "$.limits.event", "\"10m\""),
        Case(#"{"limits": {"callbak": "5s"}}"#, "did you mean \"callback\"?"),
        Case(
            #"{"scheduling": {"concurrency": 0, "refreshs": 2, "lowBattery": 101, "quarantine": "2d"}}"#,
            "$.scheduling.concurrency", "from 1 to 4096", "did you mean \"refreshes\"?",
            "$.scheduling.lowBattery: found the number 101", "$.scheduling.quarantine", "\"1d\""),
        Case(
            #"{"scheduling": {"quota": {"window": "1s"}, "crashesAllowed": 0}}"#,
            "$.scheduling.quota.cpuTime: found nothing", "$.scheduling.quota.window", "$.scheduling.crashesAllowed"),
        Case(#"{"readers": [1000, -1, "root"]}"#, "$.readers[1]", "$.readers[2]", "from 0 to 4294967294"),
        Case(#"{"readers": 1000}"#, "$.readers: found the number 1000; expected an array of users' numbers"),
        Case(
            #"{"windows": [{"from": "0 25 * * *", "for": "30s", "timeZone": "Mars/Base", "closed": 1}, {"to": "4h"}, 7]}"#,
            "$.windows[0].from", "$.windows[0].for", "\"7d\"", "$.windows[0].timeZone: found \"Mars/Base\"",
            "a time zone that this machine has", "$.windows[0].closed", "the unknown key \"to\"",
            "$.windows[1].from: found nothing", "$.windows[1].for: found nothing", "$.windows[2]: found the number 7"),
        Case(#"{"windows": {"from": "0 1 * * *", "for": "4h"}}"#, "$.windows: found", "an array of windows of time"),
        Case(
            #"{"windows": [\#(String(repeating: #"{"from": "0 1 * * *", "for": "4h"},"#, count: 16))1]}"#,
            "$.windows: found an array of 17; expected at most 16"),
        Case(
            #"{"transfers": {"concurrency": 0, "perHost": 1025, "rate": 5, "perApplications": 1}}"#,
            "$.transfers.concurrency", "from 1 to 1024", "$.transfers.perHost", "$.transfers.rate",
            "\"5B\", with its unit",
            "did you mean \"perApplication\"?"),
        Case(
            #"{"metrics": {"listen": "0.0.0.0:9464", "tokn": "x"}}"#, "$.metrics.listen", "add \"token\"",
            "did you mean \"token\"?"),
        Case(#"{"metrics": {"listen": "[::]:9464"}}"#, "$.metrics.listen", "an address of this machine alone"),
        Case(#"{"metrics": {"listen": "localhost:9464", "token": "t"}}"#, "$.metrics.listen", "$.metrics.token"),
        Case(#"{"metrics": {}}"#, "$.metrics.listen: found nothing"),
        Case(
            #"{"fleet": {"name": 7, "lease": "9s", "places": 257, "label": {}, "labels": {"a b": "x", "room": 5}}}"#,
            "$.fleet.database: found nothing", "$.fleet.name", "$.fleet.lease", "\"10m\"", "$.fleet.places",
            "from 1 to 256", "did you mean \"labels\"?", "a label's name", "$.fleet.labels.room"),
        Case(
            #"{"fleet": {"database": "service=taskhost password=12345"}}"#, "$.fleet.database: found a password",
            "passfile (~/.pgpass)", "service file (~/.pg_service.conf)"),
        Case(#"{"fleet": {"database": "taskhost"}}"#, "$.fleet.database: found text that is neither"),
        Case(#"{"profile": "modern", "profile": "ios6"}"#, "profile"),
    ]

    @Test("has all its faults reported with line and path, and nothing starts", arguments: faults)
    func refused(_ row: Case) throws {
        let folder = try Plugin.folder()
        let file = try folder.write("config.json", row.text)
        let tool = try folder.run("--config", file.path)
        tool.expectSentence(row.words + ["\(file.path):", "the configuration is not used"], status: 65)
        #expect(!FileManager.default.fileExists(atPath: folder.file("state").path))
    }

    @Test("must exist when it is named, and be writable to its owner alone")
    func trust() throws {
        let folder = try Plugin.folder()
        try folder.run("--config", folder.file("nowhere.json").path)
            .expectSentence(["there is no configuration", "nowhere.json; create it"], status: 65)
        try folder.run("--config", folder.path)
            .expectSentence(["the configuration is not used"], status: 65)
        let file = try folder.write("config.json", "{}")
        #expect(try folder.run("--config", file.path).status == 0)
        try folder.setMode(0o666, of: "config.json")
        try folder.run("--config", file.path).expectSentence(["can be written by others", "chmod go-w"], status: 65)
        try folder.makeFolder("linked")
        try folder.setMode(0o644, of: "config.json")
        try FileManager.default.createSymbolicLink(at: folder.file("linked/config.json"), withDestinationURL: file)
        try folder.run("--config", folder.file("linked/config.json").path)
            .expectSentence(["a symbolic link leads out of"], status: 65)
    }

    @Test("is looked for in the user's own settings")
    func place() throws {
        let folder = try Plugin.folder()
        try folder.write("xdg/taskhost/config.json", "{ ")
        let arguments = ["run", "--all", "--manifests", folder.file("m").path, "--state", folder.file("state").path]
        #expect(try Tool.run(arguments).status == 0)
        let tool = try Tool.run(arguments, environment: ["XDG_CONFIG_HOME": folder.file("xdg").path])
        tool.expectSentence(["xdg/taskhost/config.json:1:"], status: 65)
    }

    // MARK: What it does

    private func run(_ handler: String, _ configuration: String, _ more: String...) throws -> (Folder, [String: Any]) {
        let folder = try Plugin.folder(handler: handler)
        let file = try folder.write("config.json", configuration)
        let tool = try Tool.run(
            [
                "run", "--all", "--json", "--manifests", folder.file("m").path, "--state", folder.file("state").path,
                "--config", file.path,
            ] + more)
        let runs = try #require(try tool.document["runs"] as? [[String: Any]], "\(tool.errors)")
        return (folder, try #require(runs.first))
    }

    @Test("bounds what is kept of a run's output")
    func output() throws {
        let (folder, run) = try run("print", #"{"output": "1KiB"}"#)
        #expect(run["outcome"] as? String == "succeeded")
        let logs = try folder.ask("logs", try #require(run["run"] as? String), "--json").document
        #expect((logs["output"] as? String)?.utf8.count == 1024)
        #expect(logs["dropped"] as? Int == 10_000 - 1024)
    }

    @Test("bounds the files that workers write")
    func fileSize() throws {
        #expect(try run("write_much", "{}").1["outcome"] as? String == "succeeded")
        #expect(try run("write_much", #"{"fileSize": "1MiB"}"#).1["outcome"] as? String != "succeeded")
    }

    @Test("says how process trees are controlled")
    func control() throws {
        let (folder, run) = try run("succeed", #"{"control": "none"}"#)
        let id = try #require(run["run"] as? String)
        let shown = try folder.ask("show", id, "--json").document
        if run["outcome"] as? String == "succeeded" {
            #expect((shown["confinement"] as? String)?.contains("process tree: none") == true)
        } else {
            #expect((run["diagnostics"] as? [String])?.isEmpty == false, "a limit that cannot be kept refuses the run")
        }
    }

    @Test("says which users applications get", .enabled(if: Places.isRoot, "only root changes users"))
    func users() throws {
        let (folder, run) = try run("succeed", #"{"users": {"first": 1234567, "count": 3}}"#)
        #expect(run["outcome"] as? String == "succeeded")
        let application = folder.file("state/applications/com.example.cli").path
        let owner = try FileManager.default.attributesOfItem(atPath: application)[.ownerAccountID] as? Int
        #expect((1_234_567..<1_234_570).contains(try #require(owner)))
    }

    @Test("says how long a library may take to be ready")
    func launch() throws {
        let folder = try Folder()
        try folder.makeFolder("m")
        try Plugin.compile(
            """
            #include <unistd.h>
            #include <taskhost.h>
            __attribute__((constructor)) void load(void) { while (1) { pause(); } }
            void succeed(taskhost_task_t *t) { taskhost_complete(t, 1); }
            """, to: folder.file("m/libx.so"))
        try folder.write("m/com.example.cli.json", try Plugin.manifest(library: "libx.so"))
        let file = try folder.write("config.json", #"{"launch": "200ms"}"#)
        let tool = try folder.run("--config", file.path, "--json")
        #expect(tool.status == 17)
        #expect(tool.output.contains("constructor"), "\(tool.output)")
    }

    @Test("gives way to the command line")
    func options() throws {
        /// Whether two runs of a handler that works until it is warned were at work at once.
        func overlap(_ more: String...) throws -> Bool {
            let folder = try Plugin.folder(handler: "wait", budget: #"{"wallClock": "8s", "grace": "7s"}"#)
            let file = try folder.write("config.json", #"{"concurrency": 1, "profile": "ios6"}"#)
            let tool = try Tool.run(
                [
                    "run", "com.example.cli", "--json", "--repeat", "2", "--manifests", folder.file("m").path,
                    "--state", folder.file("state").path, "--config", file.path, "--profile", "ios7",
                ] + more)
            #expect(tool.status == 10, "\(tool.errors)")
            let runs = try #require(try folder.ask("history", "--json").document["runs"] as? [[String: Any]])
            #expect(runs.count == 2)
            let second = try #require(runs[0]["startedAt"] as? String)
            let first = try #require(runs[1]["endedAt"] as? String)
            return second < first
        }
        #expect(try !overlap())
        #expect(try overlap("--concurrency", "2"))
    }

    // MARK: Documents

    @Test("is described by its schema and its page")
    func documents() throws {
        let documentation = Places.root.appending(path: "Documentation")
        let schema = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: documentation.appending(path: "config.schema.json")))
                as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let folder = try Plugin.folder()
        let file = try folder.write("config.json", #"{"?": 1, "users": {"?": 1}, "retention": {"?": 1}}"#)
        let errors = try folder.run("--config", file.path).errors
        func keys(_ path: String) throws -> Set<String> {
            let line = try #require(errors.split(separator: "\n").first { $0.contains(path) }, "\(errors)")
            let list = try #require(line.firstMatch(of: /expected one of (.*)$/)?.1)
            return Set(list.split(separator: ", ").map(String.init))
        }
        #expect(try keys(": $[\"?\"]:") == Set(properties.keys))
        let window = try #require((properties["windows"]?["items"] as? [String: Any])?["properties"] as? [String: Any])
        let bad = try folder.write("bad.json", #"{"windows": [{"?": 1}]}"#)
        let fault = try folder.run("--config", bad.path).errors
        for key in window.keys { #expect(fault.contains(key), "\(fault)") }
        for object in ["users", "retention"] {
            let inner = try #require(properties[object]?["properties"] as? [String: Any])
            #expect(try keys(": $.\(object)[\"?\"]:") == Set(inner.keys))
        }
        let page = try String(contentsOf: documentation.appending(path: "Configuration.md"), encoding: .utf8)
        for key in properties.keys where key != "$schema" { #expect(page.contains("`\(key)`"), "\(key) is explained") }

        let examples = page.matches(of: /```json\n([^`]*)```/).map { String($0.1) }
        #expect(!examples.isEmpty)
        for example in examples {
            let file = try folder.write("example.json", example)
            let tool = try folder.run("--config", file.path)
            #expect(tool.status == 0, "\(tool.errors)")
        }
    }
}
