import Foundation
import Setting
import TestSupport
import Testing

@Suite("A daemon's log")
struct LogServingTests {
    private let station: Station
    private let journal: FakeJournal

    init() throws {
        station = try Station()
        journal = try FakeJournal(at: station.folder.file("journal").path)
    }

    private func serve(_ words: String..., environment: [String: String] = [:]) throws -> Program {
        let own = ["TASKHOST_JOURNAL_SOCKET": journal.path]
        let program = try station.start(["serve"] + words, environment: own.merging(environment) { $1 })
        if words.contains("journal") || !station.starter.isEmpty {
            try journal.wait(for: "its start") { $0.contains { $0["MESSAGE_ID"] == LogMessage.hostStarted.rawValue } }
        } else {
            try program.wait(forText: "serving ")
        }
        return program
    }

    /// Has the daemon run tasks.
    private func runTasks(_ words: String...) throws -> Station.Report { try runTasks(words) }

    private func runTasks(_ words: [String]) throws -> Station.Report {
        try station.finish(try station.start(["run", "--json"] + words, manifests: false), patience: .long)
    }

    private func stop(_ program: Program) throws -> Command {
        try program.signal(SIGTERM)
        return try program.finish()
    }

    private func waitForEnd(of run: String) throws {
        try journal.wait(for: "the end of \(run)") {
            $0.contains { $0["TASKHOST_RUN"] == run && $0["TASKHOST_OUTCOME"] != nil }
        }
    }

    private static let priorities = [
        "succeeded": ["6", "4"], "expired": ["5"], "cancelled": ["5"], "interrupted": ["5"], "deferred": ["5"],
    ]

    @Test("has each outcome once in systemd's journal, with its fields")
    func outcomes() throws {
        try station.configure("log", "all")
        let rows = OutcomeTests.rows + [.init(outcome: "exceededDisk", fixture: "hostile.fill-disk")]
        let tasks = try rows.map { try station.add(fixture: $0.fixture).tasks[0] }
        let program = try serve("--log-format", "journal")
        // The kernel keeps ten messages of a socket that is not read.
        var runs: [RunDocument] = []
        for first in stride(from: 0, to: tasks.count, by: 4) {
            let report = try runTasks(Array(tasks[first..<min(first + 4, tasks.count)]))
            for run in report.runs { try waitForEnd(of: run.run) }
            runs += report.runs
        }
        #expect(Set(runs.map(\.outcome)).count >= 11, "\(runs)")
        #expect(try stop(program).status == 0)
        journal.read()
        for run in runs {
            let outcome = try #require(run.outcome)
            let entries = journal.entries.filter { $0["TASKHOST_RUN"] == run.run }
            let ends = entries.filter { $0["TASKHOST_OUTCOME"] != nil }
            let entry = try #require(ends.first)
            #expect(ends.count == 1 && entry["TASKHOST_OUTCOME"] == run.outcome, "\(run) \(ends)")
            #expect(entry["TASKHOST_TASK"] == run.identifier && entry["TASKHOST_APPLICATION"] == run.application)
            #expect(entry["TASKHOST_ATTEMPT"] == "\(run.attempt)" && entry["TASKHOST_REASON"] == run.reason)
            #expect(entry["TASKHOST_SIGNAL"] == run.signal.map { "\($0)" } && entry["TASKHOST_KIND"] != nil)
            #expect(entry["TASKHOST_DEGRADED"] ?? "" == run.degraded.joined(separator: ","), "\(entry)")
            #expect((Self.priorities[outcome] ?? ["3"]).contains(entry["PRIORITY"] ?? ""), "\(entry)")
            #expect(entry["SYSLOG_IDENTIFIER"] == "taskhost")
            #expect(entry["MESSAGE"]?.hasPrefix("\(outcome); \(run.identifier)") == true, "\(entry)")
            #expect(entry["MESSAGE"]?.hasSuffix("; see: taskhost show \(run.run)") == true, "\(entry)")
            let message = ["expired": LogMessage.expired, "crashed": .crashed][outcome] ?? .ended
            #expect(entry["MESSAGE_ID"] == message.rawValue)
            for (field, figure) in [("TASKHOST_WALL_USEC", run.wallTime), ("TASKHOST_CPU_USEC", run.cpuTime)] {
                #expect(
                    abs((entry[field].flatMap { Double($0) } ?? -1) - (figure ?? -0.000_001) * 1_000_000) < 2,
                    "\(field) \(entry)")
            }
            #expect(entry["TASKHOST_PEAK_MEMORY"] == run.peakMemory.map { "\($0)" }, "\(entry)")
            // A worker whose end comes before its number has none.
            #expect(entry["OBJECT_PID"] == nil || run.startedAt != nil, "\(entry)")
            let starts = entries.count { $0["MESSAGE_ID"] == LogMessage.started.rawValue }
            #expect(starts == (run.startedAt == nil ? 0 : 1), "\(entries)")
        }
        #expect(journal.entries.count { $0["MESSAGE_ID"] == LogMessage.hostStopped.rawValue } == 1)
        #expect(journal.entries.contains { $0["OBJECT_PID"] != nil })
    }

    @Test("goes to the journal by itself where standard error leads there, and has no success unasked")
    func chosen() throws {
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let crash = try station.add(fixture: "hostile.crash-null").tasks[0]
        station.starter = ["sh", "-c", "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \"$@\"", "sh"]
        let program = try serve()
        station.starter = []
        let report = try runTasks(noop, crash)
        let run = try #require(report[crash])
        try waitForEnd(of: run.run)
        #expect(try station.start(["device", "set", "power=battery"]).finish().succeeded)
        let end = try stop(program)
        #expect(end.status == 0 && end.errors.isEmpty, "\(end)")
        journal.read()
        #expect(journal.entries.filter { $0["TASKHOST_RUN"] != nil }.map { $0["TASKHOST_RUN"] } == [run.run])
        let device = journal.entries.filter { $0["MESSAGE_ID"] == LogMessage.deviceOverride.rawValue }
        #expect(device.map { $0["TASKHOST_SUBJECT"] } == ["power"] && device[0]["PRIORITY"] == "4")
    }

    @Test("has the runs of a daemon that was killed, once, when the next one starts")
    func killed() throws {
        let application = try station.add(
            ManifestText(stage: "org.taskhost.kill", ["wait1": "stage_wait", "wait2": "stage_wait"]))
        try station.configure("log", "all")
        let first = try serve("--log-format", "journal")
        let client = try station.start(["run", application.identifier], manifests: false)
        func starts() -> [[String: String]] {
            journal.entries.filter { $0["MESSAGE_ID"] == LogMessage.started.rawValue }
        }
        try journal.wait(for: "both starts") { _ in starts().count == 2 }
        try first.signal(SIGKILL)
        _ = try first.finish()
        _ = try client.finish()
        journal.read()
        let runs = starts().compactMap { $0["TASKHOST_RUN"] }
        #expect(!journal.entries.contains { $0["TASKHOST_OUTCOME"] != nil })
        for number in 2...3 {
            let next = try serve("--log-format", "journal")
            try journal.wait(for: "start \(number)") {
                $0.count { $0["MESSAGE_ID"] == LogMessage.hostStarted.rawValue } == number
            }
            #expect(try stop(next).status == 0)
            journal.read()
            let ends = journal.entries.filter {
                $0["TASKHOST_OUTCOME"] != nil && runs.contains($0["TASKHOST_RUN"] ?? "")
            }
            #expect(ends.count == 2 && Set(ends.map { $0["TASKHOST_RUN"] }) == Set(runs), "\(ends)")
            for end in ends {
                #expect(end["TASKHOST_OUTCOME"] == "interrupted" && end["PRIORITY"] == "5", "\(end)")
                #expect(application.tasks.contains(end["TASKHOST_TASK"] ?? "") && end["TASKHOST_KIND"] != nil, "\(end)")
                #expect(end["TASKHOST_ATTEMPT"] == "1" && end["TASKHOST_APPLICATION"] != nil, "\(end)")
            }
        }
    }

    @Test("drops what a full or dead journal does not take, says how much, and makes no run wait")
    func fullAndDead() throws {
        let task = try station.add(fixture: "hostile.never-complete").tasks[0]
        let program = try serve("--log-format", "journal")
        try journal.fill()
        #expect(try runTasks(task).runs.map(\.outcome) == ["unreported"])
        journal.read()
        let run = try #require(try runTasks(task).runs.first)
        try waitForEnd(of: run.run)
        let lost = journal.entries.filter { $0["MESSAGE_ID"] == LogMessage.entriesLost.rawValue }
        #expect(lost.map { $0["TASKHOST_COUNT"] } == ["1"], "\(lost)")
        try FileManager.default.removeItem(atPath: journal.path)
        for _ in 0..<2 { #expect(try runTasks(task).runs.map(\.outcome) == ["unreported"]) }
        let next = try FakeJournal(at: journal.path)
        #expect(try stop(program).status == 0)
        next.read()
        #expect(next.entries.first?["TASKHOST_COUNT"] == "2", "\(next.entries)")
        #expect(next.entries.last?["MESSAGE_ID"] == LogMessage.hostStopped.rawValue, "\(next.entries)")
    }

    @Test("keeps its lines whole on a pipe without a reader, and says how many are missing")
    func fullPipe() throws {
        let task = try station.add(fixture: "hostile.never-complete").tasks[0]
        let words = ["serve", "--state", station.state, "--manifests", station.manifestFolder.path]
        let program = try Program(
            Places.taskhost, words + ["--log-format", "json"], keepsErrorsApart: true, room: 4096)
        try program.wait(forText: "serving ")
        for _ in 0..<30 { #expect(try runTasks(task).runs.map(\.outcome) == ["unreported"]) }
        try program.wait(forText: "unreported")
        let run = try #require(try runTasks(task).runs.first)
        try program.wait(forText: run.run)
        let lines = try stop(program).errors.split(separator: "\n")
        var counted = 0
        for line in lines {
            let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if document["messageId"] as? String == LogMessage.entriesLost.rawValue {
                counted += document["count"] as? Int ?? 0
            } else if document["outcome"] != nil {
                counted += 1
                #expect(document["attempt"] as? Int == 1 && document["task"] as? String == task, "\(line)")
            }
        }
        #expect(counted == 31 && lines.count < 31, "\(lines)")
    }

    @Test("has lines of keys and values")
    func lines() throws {
        let crash = try station.add(fixture: "hostile.crash-null").tasks[0]
        try station.configure("logFormat", "logfmt")
        let program = try serve()
        let run = try #require(try runTasks(crash).runs.first)
        try program.wait(forText: " run=\(run.run) task=\(crash) application=\(run.application) kind=")
        let errors = try stop(program).errors
        #expect(errors.contains(" outcome=crashed "), "\(errors)")
        #expect(errors.contains(" signal=11 pid="), "\(errors)")
    }

    @Test("refuses forms that it does not have")
    func unknownForm() throws {
        let command = try station.start(["serve", "--log-format", "xml"]).finish()
        #expect(command.status == 64 && command.errors.contains("journal, logfmt, json, text"), "\(command)")
    }
}
