import Foundation
import TestSupport
import Testing

/// Applications in real, confined workers.
@Suite("Swift applications under taskhost", .enabled(if: !Places.isSanitized))
struct EndToEndTests {
    private struct Run: Decodable {
        var run: String
        var identifier: String
        var outcome: String
        var reason: String?
        var diagnostics: [String]
    }

    private static let manifest = """
        {
          "identifier": "com.ex.app", "name": "handlers", "library": "libHandlers.so",
          "backgroundModes": ["fetch", "processing"],
          "tasks": { TASKS }
        }
        """

    @Test("Checks 18, 19, 21, 22, 24: runs end as their handlers say, and their log lines are theirs")
    func handlers() throws {
        let folder = try Folder()
        let built = try Built.folder.get()
        try FileManager.default.copyItem(
            at: built.appending(path: "libHandlers.so"), to: folder.file("libHandlers.so"))
        let outcomes = [
            "r1": "expired", "p1": "succeeded", "main": "succeeded", "twice": "succeeded", "silent": "failed",
            "dropped": "unreported", "async": "expired", "lazy": "succeeded", "later": "deferred",
        ]
        let tasks = outcomes.keys.map { name in
            let kind = name == "r1" || name == "dropped" ? "appRefresh" : "processing"
            let budget = #"{ "wallClock": "10s", "grace": "9s" }"#
            return #""com.ex.app.\#(name)": { "kind": "\#(kind)", "budget": \#(budget), "settings": { "size": 4 } }"#
        }
        try folder.write(
            "com.ex.app.json", Self.manifest.replacing("TASKS", with: tasks.joined(separator: ", ")))
        let state = folder.file("state").path
        // What the application prints goes to standard error there.
        let command = try Program(
            Places.taskhost, ["run", "--all", "--json", "--state", state, "--manifests", folder.path],
            keepsErrorsApart: true
        ).finish()
        struct Document: Decodable { var runs: [Run] }
        let runs = try JSONDecoder().decode(Document.self, from: Data(command.output.utf8)).runs
        #expect(
            Dictionary(runs.map { ($0.identifier, $0.outcome) }) { $1 }
                == Dictionary(uniqueKeysWithValues: outcomes.map { ("com.ex.app.\($0)", $1) }),
            "\(command.output)")
        #expect(runs.first { $0.identifier == "com.ex.app.r1" }?.reason == "budget")

        var logs: [String: String] = [:]
        for run in runs {
            let command = try Command.run(Places.taskhost, ["logs", run.run, "--state", state])
            logs[run.identifier] = command.output
        }
        func log(_ name: String) -> String { logs["com.ex.app.\(name)"] ?? "" }
        let refresh = log("r1")
        #expect(refresh.contains("handler sees Q") && refresh.contains("expiration sees Q"))
        #expect(refresh.contains("handler is left: false") && refresh.contains("reason 1"))
        #expect(log("main").contains("main true"))
        #expect(log("p1").contains("main false together 1"))
        #expect(log("later").contains("bad [false, false, false, false]"))
        #expect(
            runs.first { $0.identifier == "com.ex.app.later" }?.diagnostics.contains {
                $0.contains("later was refused")
            }
                == true)
        #expect(log("async").contains(#"size {"size":4} try 1"#))
    }

    @Test("the seed's sample: a simulated launch under a daemon, and its next request 15 minutes ahead")
    func seed() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Places.root.appending(path: "manifests/com.MeasurementSample.json"),
            to: folder.file("com.MeasurementSample.json"))
        try FileManager.default.copyItem(
            at: URL(filePath: Built.seedSample()), to: folder.file("libSeedSample.so"))
        let (id, state) = ("com.MeasurementSample.refresh", folder.file("state").path)
        let places = ["--state", state, "--manifests", folder.path]
        let first = try Command.run(Places.taskhost, ["run", id] + places)
        #expect(first.succeeded, "\(first.output)")

        // What its other task prints at the same time, in the same process, would be shared.
        let battery = try Command.run(Places.taskhost, ["device", "set", "power=battery", "--state", state])
        #expect(battery.succeeded, "\(battery.output)")
        let daemon = try Program(Places.taskhost, ["serve"] + places)
        try daemon.wait(forText: "serving ")
        let launch = try Command.run(Places.taskhost, ["simulate", "launch", id, "--state", state])
        #expect(launch.succeeded, "\(launch.output)")
        for number in 1...5 { #expect(launch.output.contains("this operation id is \(number)\n")) }
        let pending = try Command.run(Places.taskhost, ["pending", "--json", "--state", state]).output
        let date = try #require(Self.earliest(of: id, in: pending), "\(pending)")
        #expect(abs(date.timeIntervalSinceNow - 15 * 60) < 60)
        try daemon.signal(SIGTERM)
        #expect(try daemon.finish().succeeded)
    }

    @Test("find their defaults and their documents again", arguments: ["zygote", "run", "exec"])
    func preferences(_ isolation: String) throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Built.folder.get().appending(path: "libPreferences.so"), to: folder.file("libPreferences.so"))
        let task = #""com.ex.app.p1": { "kind": "processing", "budget": { "wallClock": "10s" } }"#
        let manifest = Self.manifest.replacing("libHandlers", with: "libPreferences").replacing("TASKS", with: task)
        try folder.write(
            "com.ex.app.json",
            manifest.replacing(#""backgroundModes""#, with: #""isolation": "\#(isolation)", "backgroundModes""#))
        let places = ["--state", folder.file("state").path, "--manifests", folder.path]
        for count in 0...1 {
            let run = try Command.run(Places.taskhost, ["run", "com.ex.app.p1"] + places)
            #expect(run.succeeded && run.output.contains("count \(count), kept true\nnoted true\n"), "\(run.output)")
        }
    }

    @Test(
        "that die while they are launched have said why",
        arguments: [
            ("RegistersTwice", "registering\n", "identifier com.ex.app.p1 has already been registered"),
            ("FatalLaunch", "opening the store", "Fatal error: no store at this place"),
        ])
    func dying(_ library: String, _ printed: String, _ word: String) throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Built.folder.get().appending(path: "lib\(library).so"), to: folder.file("lib\(library).so"))
        let task = #""com.ex.app.p1": { "kind": "processing", "budget": { "wallClock": "10s" } }"#
        try folder.write(
            "com.ex.app.json",
            Self.manifest.replacing("libHandlers", with: "lib\(library)").replacing("TASKS", with: task))
        let state = folder.file("state").path
        let command = try Program(
            Places.taskhost, ["run", "com.ex.app.p1", "--json", "--state", state, "--manifests", folder.path],
            keepsErrorsApart: true
        ).finish()
        struct Document: Decodable { var runs: [Run] }
        let run = try #require(
            try JSONDecoder().decode(Document.self, from: Data(command.output.utf8)).runs.first, "\(command.errors)")
        #expect(run.outcome == "crashed")
        #expect(run.diagnostics.contains { $0.hasPrefix("it printed: ") && $0.contains(word) }, "\(run.diagnostics)")
        let log = try Command.run(Places.taskhost, ["logs", run.run, "--state", state]).output
        #expect(log.contains(printed) && log.contains(word), "\(log)")
        if library == "FatalLaunch" {
            let show = try Command.run(Places.taskhost, ["show", run.run, "--state", state]).output
            #expect(show.contains("FatalLaunch.AppDelegate.application("), "its symbols are demangled: \(show)")
        }
    }

    private static func earliest(of identifier: String, in pending: String) -> Date? {
        struct Request: Decodable {
            var identifier: String
            var earliestBeginDate: String?
        }
        struct Document: Decodable { var requests: [Request] }
        let document = try? JSONDecoder().decode(Document.self, from: Data(pending.utf8))
        guard let text = document?.requests.first(where: { $0.identifier == identifier })?.earliestBeginDate else {
            return nil
        }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
