import Foundation
import TestSupport
import Testing

@Suite("A daemon's tasks that wait for files")
struct FilesServingTests {
    private static let application = "org.taskhost.inbox"
    private static let task = "org.taskhost.inbox.pass"

    /// - Parameter others: what each of some more tasks waits for, which run every second.
    private func station(
        _ requires: [String: Any], every: String? = nil, read: [String] = [], others: [String: [String: Any]] = [:]
    ) throws -> Station {
        let station = try Station()
        var tasks = others.mapValues { _ in "stage_pass" }
        tasks["pass"] = "stage_pass"
        var manifest = try ManifestText(stage: Self.application, tasks)
        manifest.setTask(Self.task, "requires", requires.merging(["idle": false]) { $1 })
        if let every { manifest.setTask(Self.task, "schedule", ["every": every]) }
        for (name, requires) in others {
            manifest.setTask("\(Self.application).\(name)", "requires", requires.merging(["idle": false]) { $1 })
            manifest.setTask("\(Self.application).\(name)", "schedule", ["every": "1s"])
        }
        manifest["permissions"] = ["read": read]
        try station.add(manifest)
        return station
    }

    private func shell(_ script: String, in folder: String) throws {
        let command = try Command.run("sh", ["-ec", script], in: URL(filePath: folder))
        guard command.succeeded else { throw Problem("\(script): \(command.output)") }
    }

    @Test func `A task waits for a file in its own folder, and why names it`() throws {
        let daemon = try Daemon(try station(["paths": ["$STATE/inbox/*"]]))
        try daemon.tell("submit", Self.task)
        let why = try daemon.why(Self.task)
        #expect(why.holding == ["paths"] && why.summary == "waiting: a file that matches")
        let folder = daemon.station.state + "/applications/\(Self.application)/state"
        try shell("mkdir -p '\(folder)/inbox'; echo > '\(folder)/inbox/a'", in: daemon.station.state)
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try daemon.station.history().first?.outcome == "succeeded")
        try daemon.tell("device", "set", "lowPower=on")
        try daemon.tell("submit", Self.task)
        let gate = try daemon.why(Self.task).gates.first { $0.gate == "paths" }
        #expect(gate?.verdict == "open" && gate?.found == "\(folder)/inbox/a is there", "\(String(describing: gate))")
        #expect(try daemon.stop().status == 0)
    }

    @Test func `What changed while the host was down counts, and what the last good run saw does not`() throws {
        let data = try Folder()
        try data.write("a.txt", "x")
        // The other task runs once the folder has been looked at, and keeps showing that time passes.
        let station = try station(
            ["changed": [data.path + "/*.txt"]], every: "1s", read: [data.path],
            others: ["clock": ["paths": [data.path + "/a.txt"]]])
        let first = try Daemon(station)
        try first.wait(for: "run.ended", Self.task)
        try first.waitUntil { try first.why(Self.task).holding.contains("changed") }
        #expect(try first.stop().status == 0)

        let second = try Daemon(station)
        try second.waitUntil {
            let gate = try second.why(Self.task).gates.first { $0.gate == "changed" }
            return gate?.found == "no file of \(data.path)/*.txt has changed"
        }
        #expect(second.count("run.started", Self.task) == 0)
        try second.kill()
        try shell("echo more >> a.txt", in: data.path)

        let third = try Daemon(station)
        try third.wait(for: "run.ended", Self.task)
        try shell("echo > b.txt", in: data.path)
        try third.wait(for: "run.ended", Self.task, count: 2)
        #expect(try third.stop().status == 0)
    }
}
