import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

@Suite("A forecast", .plainBuild)
struct ForecastTests {
    private static let hour: TimeInterval = 3600

    /// A folder with a manifest of these tasks; each is the members of one.
    private func folder(_ tasks: [String: String]) throws -> Folder {
        let folder = try Folder()
        let list = tasks.map { "\"com.example.f.\($0)\": {\"handler\": \"succeed\", \($1)}" }.joined(separator: ",\n")
        try folder.write(
            "m/com.example.f.json",
            """
            {"identifier": "com.example.f", "library": "\(try Plugin.library.path)", "tasks": {\(list)}}
            """)
        return folder
    }

    private func forecast(_ folder: Folder, _ more: String...) throws -> Tool {
        try Tool.run(
            ["forecast", "--manifests", folder.file("m").path, "--state", folder.file("state").path] + more,
            in: folder)
    }

    /// What a forecast as a document says.
    private struct Report {
        struct Run {
            var task: String
            var at: Date
            var until: Date
            var stopped: String?
            var origin: String
            /// Gates and how long each held it back.
            var waits: [String: TimeInterval] = [:]
        }
        var from: Date
        var conditions: String
        /// Seconds that are played from the record.
        var covered: Double
        var overridden: [String: String]
        var isComplete: Bool
        var runs: [Run]
        /// Gates that hold by task.
        var waiting: [String: [String]] = [:]
        var summaries: [String: String] = [:]

        init(_ tool: Tool) throws {
            let document = try tool.document
            func date(_ value: Any?) throws -> Date {
                let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                return try style.parse(#require(value as? String))
            }
            from = try date(document["from"])
            conditions = try #require(document["conditions"] as? String)
            covered = try #require(document["covered"] as? Double)
            overridden = try #require(document["overridden"] as? [String: String])
            isComplete = try #require(document["complete"] as? Bool)
            runs = try #require(document["runs"] as? [[String: Any]]).map { run in
                var report = Run(
                    task: try #require(run["identifier"] as? String), at: try date(run["at"]),
                    until: try date(run["until"]), stopped: run["stopped"] as? String,
                    origin: try #require(run["origin"] as? String))
                for wait in try #require(run["waits"] as? [[String: Any]]) {
                    let gate = try #require(wait["gate"] as? String)
                    report.waits[gate, default: 0] += try date(wait["to"]).timeIntervalSince(date(wait["from"]))
                }
                return report
            }
            for task in try #require(document["waiting"] as? [[String: Any]]) {
                let identifier = try #require(task["identifier"] as? String)
                let gates = try #require(task["gates"] as? [[String: Any]])
                waiting[identifier] = gates.compactMap { $0["gate"] as? String }
                summaries[identifier] = task["summary"] as? String
            }
        }
    }

    @Test("without a record assumes a steady day and follows the schedules")
    func steady() throws {
        let folder = try folder([
            "six": #""kind": "processing", "schedule": {"every": "6h"}, "requires": {"externalPower": true}"#,
            "night": #""kind": "appRefresh", "schedule": {"calendar": "30 2 * * *", "timeZone": "UTC"}"#,
            "asked": #""kind": "processing""#,
        ])
        let tool = try forecast(folder, "--json", "--days", "2")
        #expect(tool.status == 0, "\(tool.errors)")
        let report = try Report(tool)
        #expect(report.conditions == "steady" && report.isComplete)
        let six = report.runs.filter { $0.task == "com.example.f.six" }
        #expect(
            six.count == 8 && six.allSatisfy { $0.at.timeIntervalSince1970.remainder(dividingBy: 6 * Self.hour) == 0 })
        // A tenth of the budget of five minutes.
        #expect(six.allSatisfy { $0.until.timeIntervalSince($0.at) == 30 && $0.origin == "schedule" })
        let night = report.runs.filter { $0.task == "com.example.f.night" }
        #expect(night.count == 2)
        #expect(night.allSatisfy { $0.at.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 9000 })
        #expect(report.waiting == ["com.example.f.asked": []])
        #expect(report.summaries["com.example.f.asked"] == "no schedule, and no request is pending")
        #expect(!FileManager.default.fileExists(atPath: folder.file("state").path), "it only looks")
    }

    @Test("prints a table of times and reasons, and what would not run")
    func table() throws {
        let folder = try folder([
            "hourly": #""kind": "appRefresh", "schedule": {"every": "1h"}"#,
            "powered":
                #""kind": "processing", "schedule": {"every": "1h"}, "requires": {"externalPower": true, "idle": false}"#,
        ])
        try folder.write("t.jsonl", #"{"at": "+0s", "power": "battery", "battery": 80}"# + "\n")
        let tool = try forecast(folder, "--trace", "t.jsonl", "--utc")
        #expect(tool.status == 0, "\(tool.errors)")
        let lines = tool.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasPrefix("WHEN") && lines[0].hasSuffix("TASK                  WAITED FOR"))
        #expect(lines[1...24].allSatisfy { $0.hasSuffix("Z  com.example.f.hourly  its time") })
        #expect(lines[25].isEmpty && lines[26].hasPrefix("NOT BEFORE 2") && lines[26].hasSuffix("Z  HELD BY"))
        #expect(lines[27].hasPrefix("com.example.f.powered") && lines[27].contains("externalPower: on battery, 80 %"))
        #expect(tool.errors.contains("the conditions are those of the trace"))
        let one = try forecast(folder, "--trace", "t.jsonl", "com.example.f.powered")
        #expect(!one.output.contains("hourly") && one.output.contains("HELD BY"))
    }

    @Test("follows a trace: a task starts when its condition comes, and is stopped when it goes")
    func trace() throws {
        let folder = try folder([
            "long": """
            "kind": "processing", "budget": {"wallClock": "5d"}, "schedule": {"every": "1h"},
            "requires": {"externalPower": true}
            """
        ])
        // 12 h would be expected of a run: the mains come for four of them, then stay.
        try folder.write(
            "t.jsonl",
            """
            {"at": "2001-01-01T00:00:00Z", "power": "external"}

            {"at": "2001-01-01T00:00:00+00:00", "power": "battery", "battery": "31"}
            {"at": "+5h", "power": "external"}
            {"at": "+9h", "power": "battery"}
            {"at": "+10h", "power": "external"}
            {"at": "+10h", "user": "active"}
            {"at": "+11h", "user": "idle"}
            """)
        let report = try Report(try forecast(folder, "--trace", "t.jsonl", "--json"))
        #expect(report.conditions == "trace")
        func hours(_ date: Date) -> Double { date.timeIntervalSince(report.from) / Self.hour }
        try #require(report.runs.count >= 2, "\(report.runs)")
        let (first, second) = (report.runs[0], report.runs[1])
        #expect(hours(first.at) == 5 && hours(first.until) == 9 && first.stopped == "powerLost")
        #expect((first.waits["externalPower"] ?? 0) >= 4 * Self.hour)
        // The same request waits again for mains, and then for its user.
        #expect(hours(second.at) == 11 && hours(second.until) == 23 && second.stopped == nil)
        #expect(second.waits["externalPower"] == Self.hour && second.waits["idle"] == Self.hour)
    }

    @Test("takes the recorded past, requests that wait, and what past runs took")
    func recorded() throws {
        let folder = try folder([
            "asked": #""kind": "processing", "requires": {"idle": false}"#,
            "online": #""kind": "appRefresh", "schedule": {"every": "1h"}, "requires": {"network": "unmetered"}"#,
        ])
        let now = Timestamp(nanoseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000_000)
        func ago(_ hours: Int64) -> Timestamp { Timestamp(nanoseconds: now.nanoseconds - hours * 3_600_000_000_000) }
        try folder.makeFolder("state")
        do {
            let store = try Store(path: folder.file("state/taskhost.db").path)
            // Yesterday the network was metered for ten hours, and nothing is known of the time before.
            try store.putDevice([(.network, "ok"), (.power, "external"), (.user, "idle")], at: ago(20))
            try store.putDevice([(.network, "constrained")], at: ago(18))
            try store.putDevice([(.network, "ok")], at: ago(8))
            let task = try store.taskRow(identifier: "com.example.f.asked", application: "com.example.f")
            var terms = RequestTerms()
            terms.earliestBeginDate = ago(-3)
            try store.putRequest(
                TaskRequest(identity: task, kind: .processing, terms: terms, submitted: ago(1)))
            let gone = try store.taskRow(identifier: "com.example.gone", application: "com.example.gone")
            try store.putRequest(
                TaskRequest(identity: gone, kind: .processing, submitted: ago(1)))
            for (index, seconds) in [50, 70, 60].enumerated() {
                let id = ULID(at: ago(4), random: (0, UInt64(index)))
                try store.insertRun(
                    RunStart(
                        id: id, task: task, attempt: 1, submittedAt: ago(4), startedAt: ago(4)))
                let end = RunEnd(
                    id: id, outcome: .succeeded, startedAt: ago(4), endedAt: ago(3),
                    figures: RunFigures(wallTime: .seconds(Int64(seconds))))
                try store.finishRun(end, events: Span())
            }
            try store.commit()
        }
        let tool = try forecast(folder, "--json")
        #expect(tool.status == 0)
        #expect(
            tool.sentences == [
                "taskhost: a request is left out; com.example.gone: no manifest has the task; see taskhost pending"
            ])
        let report = try Report(tool)
        #expect(report.conditions == "recorded")
        let asked = try #require(report.runs.first { $0.task == "com.example.f.asked" })
        #expect(asked.at.timeIntervalSince1970 == Double(ago(-3).nanoseconds / 1_000_000_000))
        #expect(asked.until.timeIntervalSince(asked.at) == 60 && asked.origin == "application")
        // Every hour but for the ten from 18 h ago on, which are those from in 6 h on.
        let online = report.runs.filter { $0.task == "com.example.f.online" }
        let held = online.filter { $0.waits["network"] != nil }
        #expect((13...15).contains(online.count) && held.count == 1, "\(online)")
        let wait = try #require(held.first)
        let metered = Double(ago(-16).nanoseconds / 1_000_000_000)
        #expect(abs(wait.at.timeIntervalSince1970 - metered) < 1)
        #expect((9 * Self.hour...10 * Self.hour).contains(try #require(wait.waits["network"])))
    }

    // MARK: What the past says about the future

    /// Whole seconds from now: what is played again comes to whole seconds.
    /// When the test began: other tests of the suite may have taken minutes.
    private let now = Timestamp(nanoseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000_000)

    private func ago(_ seconds: Int64) -> Timestamp { now - .seconds(seconds) }

    /// A folder of one hourly task that needs everything, half an hour from now, and what `write` records.
    private func picky(_ write: (Store) throws -> Void) throws -> Folder {
        let minute = (now.nanoseconds / 60_000_000_000 + 30) % 60
        let folder = try folder([
            "picky": """
            "kind": "processing", "schedule": {"calendar": "\(minute) * * * *", "timeZone": "UTC"},
            "requires": {"externalPower": true, "network": "unmetered"}
            """
        ])
        try folder.makeFolder("state")
        let store = try Store(path: folder.file("state/taskhost.db").path)
        try write(store)
        try store.commit()
        return folder
    }

    private func runs(_ folder: Folder, days: Int = 2) throws -> (report: Report, tool: Tool) {
        let tool = try forecast(folder, "--json", "--days", "\(days)")
        #expect(tool.status == 0, "\(tool.errors)")
        return (try Report(tool), tool)
    }

    private static let busy: [(ConditionName, String)] = [
        (.cpu, "high"), (.memory, "high"), (.thermal, "serious"), (.user, "active"), (.power, "battery"),
        (.battery, "3"), (.network, "none"), (.lowPower, "on"),
    ]

    @Test("is not changed by a machine that was busy for four seconds, daemon or not", arguments: [true, false])
    func fourSeconds(_ isDaemon: Bool) throws {
        let calm = try runs(try picky { _ in }).report
        let folder = try picky { store in
            if isDaemon { try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(5)) }
            try store.putDevice(Self.busy, at: ago(4))
            if isDaemon { try store.journal(kind: .hostStopped, subject: "", text: "", at: ago(0)) }
        }
        let report = try runs(folder).report
        #expect(report.runs.map(\.at) == calm.runs.map(\.at) && report.runs.count == 48, "\(report)")
        #expect(report.runs.allSatisfy { $0.stopped == nil })
        #expect(report.runs.map { Set($0.waits.keys) } == calm.runs.map { Set($0.waits.keys) })
        #expect(report.covered < 10 && report.conditions == (isDaemon ? "recorded" : "steady"))
    }

    @Test("is not changed by pressure, however long it lasted")
    func pressure() throws {
        let folder = try picky { store in
            try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(4 * 86_400))
            try store.putDevice(
                [(.power, "external"), (.network, "ok"), (.user, "idle"), (.cpu, "high"), (.memory, "high")],
                at: ago(4 * 86_400))
            try store.journal(kind: .hostStopped, subject: "", text: "", at: ago(0))
        }
        let report = try runs(folder).report
        #expect(report.runs.count == 48 && report.conditions == "recorded", "\(report)")
        #expect(report.covered > 2 * 86_400 - 600)
    }

    @Test("plays what a host watched, and takes the rest for a steady day, also after a host that was killed")
    func covers() throws {
        let folder = try picky { store in
            // Two hours on battery that a daemon saw; then it was killed, and left a last line an hour later.
            try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(20 * 3600))
            try store.putDevice([(.power, "battery"), (.network, "ok"), (.user, "idle")], at: ago(20 * 3600))
            try store.putDevice([(.power, "external")], at: ago(18 * 3600))
            try store.putDevice([(.power, "battery")], at: ago(17 * 3600))
            // The next one saw nothing new: battery. It was stopped after an hour.
            try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(10 * 3600))
            try store.journal(kind: .hostStopped, subject: "", text: "", at: ago(9 * 3600))
        }
        let (report, tool) = try runs(folder, days: 1)
        #expect(abs(report.covered - 4 * Self.hour) < 5, "\(report.covered)")
        #expect(report.conditions == "recorded")
        // Of 24 times two fall into the first two hours, and one into the hour of the second host.
        let late = report.runs.filter { $0.waits["externalPower"] != nil }
        #expect(report.runs.count == 23 && late.count == 2, "\(tool.output)")
        let text = try forecast(folder).errors
        #expect(text.contains("of which 4 h of 1 d are on record"), "\(text)")
        #expect(text.contains("for the rest a steady day is assumed"), "\(text)")
    }

    @Test("leaves out of the past what a user had set")
    func overriddenPast() throws {
        let folder = try picky { store in
            try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(3 * 86_400))
            try store.putDevice([(.power, "external"), (.network, "ok"), (.user, "idle")], at: ago(3 * 86_400))
            try store.journal(kind: .deviceOverride, subject: "power", text: "set to battery", at: ago(20 * 3600))
            try store.putDevice([(.power, "battery")], at: ago(20 * 3600))
            try store.journal(kind: .deviceReset, subject: "", text: "", at: ago(5 * 3600))
            try store.putDevice([(.power, "external")], at: ago(5 * 3600))
            try store.journal(kind: .hostStopped, subject: "", text: "", at: ago(0))
        }
        let report = try runs(folder, days: 1).report
        #expect(report.runs.count == 24 && report.runs.allSatisfy { $0.waits["externalPower"] == nil }, "\(report)")
        #expect(report.overridden.isEmpty)
    }

    @Test("opens and closes the windows of the configuration, and reports them; a trace or a user takes precedence")
    func windows() throws {
        let folder = try picky { _ in }
        let configuration = try folder.write(
            "config.json", #"{"windows": [{"from": "0 1 * * *", "for": "4h", "timeZone": "UTC"}]}"#)
        func tell(_ more: String...) throws -> (report: Report, windows: [String]) {
            let words = ["--config", configuration.path] + more
            let tool = try Tool.run(
                ["forecast", "--manifests", folder.file("m").path, "--state", folder.file("state").path, "--json"]
                    + words, in: folder)
            let list = try #require(try tool.document["windows"] as? [[String: String]])
            return (try Report(tool), list.compactMap { $0["window"] })
        }
        let (report, edges) = try tell("--days", "2")
        // One waits for the window, four come within it.
        #expect((8...11).contains(report.runs.count), "\(report)")
        for run in report.runs {
            let second = run.at.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400)
            #expect(second >= Self.hour && second < 5 * Self.hour, "\(run)")
        }
        #expect(edges.count == 4 && Set(edges) == ["open", "closed"], "\(edges)")
        let text = try forecast(folder, "--config", configuration.path).errors
        #expect(text.contains("windows are those of the configuration"), "\(text)")
        let trace = try folder.write("trace", #"{"at": "+0s", "window": "closed"}"#)
        let traced = try tell("--trace", trace.path)
        #expect(traced.report.runs.isEmpty && traced.windows.isEmpty)
        #expect(traced.report.waiting["com.example.f.picky"] == ["window"])
        let other = try folder.write("other", #"{"at": "+0s", "power": "external"}"#)
        #expect(try tell("--trace", other.path).windows.count == 2)
    }

    @Test("lets nothing start while the machine slept, and what ran continues afterwards")
    func slept() throws {
        let folder = try picky { store in
            try store.journal(kind: .hostStarted, subject: "", text: "", at: ago(2 * 86_400))
            try store.putDevice([(.power, "external"), (.network, "ok"), (.user, "idle")], at: ago(2 * 86_400))
            try store.putDevice([(.sleep, "on")], at: ago(10 * 3600))
            try store.putDevice([(.sleep, "off")], at: ago(4 * 3600))
            try store.journal(kind: .hostStopped, subject: "", text: "", at: ago(0))
        }
        let report = try runs(folder, days: 1).report
        let waited = report.runs.filter { $0.waits["sleep"] != nil }
        #expect(report.runs.count == 19 && waited.count == 1, "\(report)")
    }

    @Test("keeps what a user has set and not reset, and says so")
    func overriddenNow() throws {
        let folder = try picky { store in
            try store.journal(kind: .deviceOverride, subject: "power", text: "set to battery", at: ago(60))
            try store.setOverride(.power, "battery")
            try store.putDevice([(.power, "battery")], at: ago(60))
        }
        let report = try runs(folder).report
        #expect(report.runs.isEmpty && report.waiting["com.example.f.picky"] == ["externalPower"], "\(report)")
        #expect(report.overridden == ["power": "battery"])
        let text = try forecast(folder).errors
        #expect(
            text.contains("power=battery stays as the user has set it (taskhost device reset ends that)"), "\(text)")
    }

    @Test("knows the pace of a request, and what waits again after its host was killed")
    func pending() throws {
        let folder = try folder(["paced": #""kind": "appRefresh""#, "killed": #""kind": "appRefresh""#])
        try folder.makeFolder("state")
        do {
            let store = try Store(path: folder.file("state/taskhost.db").path)
            let paced = try store.taskRow(identifier: "com.example.f.paced", application: "com.example.f")
            var request = TaskRequest(
                identity: paced, kind: .appRefresh, submitted: ago(5))
            request.notBefore = now + .seconds(1800)
            try store.putRequest(request)
            let killed = try store.taskRow(identifier: "com.example.f.killed", application: "com.example.f")
            let run = ULID(at: ago(9), random: (0, 1))
            try store.putRequest(
                TaskRequest(identity: killed, kind: .appRefresh, submitted: ago(9)))
            try store.insertRun(
                RunStart(id: run, task: killed, attempt: 1, submittedAt: ago(9), startedAt: ago(8)))
            try store.markRequestRunning(identity: killed, submitted: ago(9), run: run)
            try store.commit()
        }
        let report = try Report(try forecast(folder, "--json"))
        let paced = try #require(report.runs.first { $0.task == "com.example.f.paced" })
        #expect(paced.at.timeIntervalSince1970 == Double((now + .seconds(1800)).nanoseconds / 1_000_000_000))
        let killed = try #require(report.runs.first { $0.task == "com.example.f.killed" })
        #expect(killed.at == report.from)
    }

    @Test("ends with a limit on its runs, and says so")
    func limit() throws {
        let folder = try folder([
            "often": #""kind": "appRefresh", "schedule": {"every": "1s"}, "budget": {"wallClock": "1s"}"#
        ])
        let tool = try forecast(folder, "--json")
        let report = try Report(tool)
        #expect(report.runs.count == 20_000 && !report.isComplete)
    }

    // MARK: Bad input

    struct BadTrace: CustomTestStringConvertible {
        var text: String
        var words: [String]
        var testDescription: String { text }
        init(_ text: String, _ words: String...) {
            self.text = text
            self.words = words
        }
    }

    static let badTraces: [BadTrace] = [
        BadTrace("", "t.jsonl:1:1: $: found no line; expected at least one"),
        BadTrace("\n\r\n", "found no line"),
        BadTrace("hello", "t.jsonl:1:1: $: found"),
        BadTrace("[]", "t.jsonl:1:1: $: found an empty array; expected an object, a change of the device"),
        BadTrace(
            #"{"at": "+1h", "power": "battery"}"# + "\n\n" + #"{"at": "+2h", "powr": "battery", "network": "slow"}"#
                + "\n" + #"{"power": 3, "battery": 101}"#,
            #"t.jsonl:3:15: $.powr: found the unknown key "powr""#, #"did you mean "power"?"#,
            #"t.jsonl:3:45: $.network: found "slow"; expected one of ok, constrained, none, unknown"#,
            "t.jsonl:4:1: $.at: found nothing", "t.jsonl:4:11: $.power: found the number 3",
            "t.jsonl:4:25: $.battery: found the number 101"),
        BadTrace(#"{"at": "tomorrow", "power": "battery"}"#, #"$.at: found "tomorrow"; expected a time such as"#),
        BadTrace(#"{"at": "+2h"}"#, "found no condition; expected at least one of power, battery"),
        BadTrace(#"{"at": "+99999999d", "power": "battery"}"#, "$.at: found"),
        BadTrace(#"{"at": "2026-02-30T00:00:00Z", "power": "battery"}"#, "$.at: found"),
        BadTrace(#"{"at": 5, "power": "battery"}"#, "$.at: found the number 5"),
        BadTrace(
            #"{"at": "+2h", "user": "idle"}"# + "\n" + #"{"at": "+1h", "user": "active"}"#,
            "t.jsonl:2:8: $.at: found \"+1h\"; expected a time no earlier than that of the line before"),
        BadTrace(#"{"at": "+2h", "at": "+3h", "power": "battery"}"#, "t.jsonl:1:"),
        BadTrace(#"{"at": "+2h", "power": ""# + String(repeating: "x", count: 5000) + "\"}", "4096 bytes"),
    ]

    @Test("refuses a bad trace with all its faults by line", arguments: badTraces)
    func badTrace(_ row: BadTrace) throws {
        let folder = try folder(["a": #""kind": "processing""#])
        try folder.write("t.jsonl", row.text)
        let tool = try forecast(folder, "--trace", "t.jsonl")
        tool.expectSentence(row.words + ["the trace is not used; t.jsonl; correct the faults above"], status: 64)
        #expect(tool.output.isEmpty)
    }

    @Test("reports what it cannot use")
    func usage() throws {
        let folder = try folder(["a": #""kind": "processing""#])
        try forecast(folder, "--trace", "nowhere").expectSentence(["the trace cannot be read", "nowhere"], status: 73)
        try forecast(folder, "--trace", "m").expectSentence(["the trace cannot be read"], status: 73)
        try forecast(folder, "--days", "0").expectSentence(["--days", "from 1 to 366"], status: 64)
        try forecast(folder, "com.example.b").expectSentence(["no manifest has this task; com.example.b"], status: 64)
        try folder.write("m/bad.json", "{")
        try forecast(folder).expectSentence(["1 of 2", "taskhost validate"], status: 65)
    }
}
