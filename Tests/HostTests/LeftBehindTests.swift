import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("What a run leaves behind")
struct LeftBehindTests {
    @Test("is killed, and is listed in the run's diagnostics", arguments: ["zygote", "run", "exec"], Machine.tiers)
    func told(_ isolation: String, _ tier: String) throws {
        let station = try Station()
        try station.configure("control", tier)
        let task = try station.add(ManifestText(fixture: "hostile.leave-child").with("isolation", isolation)).tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        let told = try station.show(run).diagnostics
        #expect(told.filter { $0.contains("left running after its completion") }.count == 1, "\(told)")
        station.expectNothingLeft()
    }

    @Test("has its last words recorded", arguments: Machine.tiers)
    func lastWords(_ tier: String) throws {
        let station = try Station()
        try station.configure("control", tier)
        let task = try station.add(fixture: "hostile.leave-talker").tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        // What the child says that it has written, and what the log has.
        let count = station.folder.file("state/applications/\(task)/state/count")
        let written = try #require(Int(try String(contentsOf: count, encoding: .utf8).split(separator: " ")[0]))
        let lines = try station.logs(run).text.split(separator: "\n").compactMap { Int($0) }
        #expect(lines.last.map { $0 >= written } == true, "\(lines.count) lines of \(written)")
        station.expectNothingLeft()
    }
}

extension LeftBehindTests {
    @Test(
        "is not mistaken for that of another host whose state folder has the same path, as in another container",
        .enabled(if: Machine.isRoot, "it takes a mount namespace"), arguments: Machine.tiers)
    func samePath(_ tier: String) throws {
        let station = try Station()
        try station.configure("control", tier)
        var sleeper = try ManifestText(fixture: "fixtures.sleeper")
        // Its fixture is warned after half a second; the other host may take longer to come and go.
        sleeper.setBudget(of: sleeper.tasks[0], ["wallClock": "10m", "grace": "1s"])
        let waits = try station.add(sleeper).tasks[0]
        let brief = try station.add(fixture: "fixtures.noop").tasks[0]
        try FileManager.default.createDirectory(atPath: station.state, withIntermediateDirectories: true)
        let mount = "mount -t tmpfs -o mode=0755 none \(station.state) && exec \"$@\""
        station.starter = ["unshare", "--mount", "sh", "-c", mount, "sh"]
        let first = try station.start(["run", waits, "--watch"])
        try first.wait(forText: "asleep")
        let second = try station.run(brief)
        #expect(second[brief]?.outcome == "succeeded", "\(second.command)")
        try first.signal(SIGINT)
        #expect(try first.finish().output.contains("cancelled"), "\(first.output) \(first.errors)")
    }

    @Test(
        "is ended at the next start when host and zygote were killed together",
        arguments: Machine.tiers.map { ($0, nil) } + (Machine.isRoot ? [("none", Machine.nobody)] : []))
    func orphans(_ tier: String, _ user: UInt32?) throws {
        let station = try Station(user: user)
        try station.configure("control", tier)
        let tree = try station.add(ManifestText(stage: "org.taskhost.orphans", ["tree": "stage_tree"])).tasks[0]
        let host = try station.start(["run", tree])
        try host.wait(forText: "started")
        // Host, zygote, worker and six of its children, one after the other; a keeper where there is no group.
        let count = tier == "none" ? 10 : 9
        var patience = Patience()
        var found = station.processes()
        while found.count < count && patience.milliseconds() != nil {
            usleep(1000)
            found = station.processes()
        }
        let names = found.map { "\($0) \((try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) ?? "?")" }
        #expect(found.count == count, "\(names)")
        let worker = try #require(
            (host.output + host.errors).matches(of: /started (\d+)/).first.flatMap { Int32($0.1) })
        let parent = try #require(ProcessStatus(of: worker)).parent
        let zygote = tier == "none" ? try #require(ProcessStatus(of: parent)).parent : parent
        if tier == "none" {
            // On a busy machine the worker may say so before the zygote reports it.
            let ledger = URL(filePath: station.state).appending(path: "workers")
            while try !String(contentsOf: ledger, encoding: .utf8).contains("\(worker) ") {
                guard patience.milliseconds() != nil else { throw Problem.vain("the ledger", seen: "\(names)") }
                usleep(1000)
            }
        }
        // So that none can look after another's end.
        try host.signal(SIGSTOP)
        if parent != zygote {
            #expect(kill(zygote, SIGSTOP) == 0)
            #expect(kill(parent, SIGKILL) == 0)
        }
        #expect(kill(zygote, SIGKILL) == 0)
        #expect(station.waitForEnd(ofOneOf: [zygote]) == zygote)
        try host.signal(SIGKILL)
        _ = try host.finish()
        // Before it serves any client, and not only when it cleans up at its end.
        let next = try Daemon(station)
        let alive = station.processes().filter(found.contains)
        #expect(alive.isEmpty, "\(alive) of \(names)")
        #expect(try next.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test(
        "ends without control groups when host and zygote were killed together, though no other host starts",
        arguments: Machine.isRoot ? [nil, Machine.nobody] : [nil])
    func kept(_ user: UInt32?) throws {
        let station = try Station(user: user)
        try station.configure("control", "none")
        let tree = try station.add(ManifestText(stage: "org.taskhost.kept", ["tree": "stage_tree"])).tasks[0]
        let host = try station.start(["run", tree])
        try host.wait(forText: "started")
        let worker = try #require(
            (host.output + host.errors).matches(of: /started (\d+)/).first.flatMap { Int32($0.1) })
        let keeper = try #require(ProcessStatus(of: worker)).parent
        let zygote = try #require(ProcessStatus(of: keeper)).parent
        #expect(kill(host.pid, SIGSTOP) == 0)
        #expect(kill(zygote, SIGKILL) == 0)
        #expect(kill(host.pid, SIGKILL) == 0)
        _ = try host.finish()
        #expect(station.waitForEnd(ofOneOf: [keeper]) == keeper)
        station.expectNothingLeft()
    }

    @Test(
        "ends at the next start when it had left its session or group, and host, keeper and zygote were killed together",
        arguments: Machine.isRoot ? [nil, Machine.nobody] : [nil])
    func wanderers(_ user: UInt32?) throws {
        let station = try Station(user: user)
        try station.configure("control", "none")
        let script = "setsid sh -c 'sleep 1000 & sleep 1000' & timeout 900 sleep 1000 & echo started; sleep 1000"
        let task = try station.add(
            ManifestText(members: [
                "identifier": "com.example.wandering",
                "tasks": [
                    "com.example.wandering.task": [
                        "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                    ]
                ],
            ])
        ).tasks[0]
        let host = try station.start(["run", task])
        try host.wait(forText: "started")
        func names() -> [Int32: String] {
            let pairs = station.processes().map { pid in
                (pid, (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? "")
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        var patience = Patience()
        while names().values.count(where: { $0 == "sleep\n" }) < 4, patience.milliseconds() != nil { usleep(1000) }
        // The ones that look after others first, so that none can.
        let own = names().filter { $0.value.hasPrefix("taskhost") }.keys
        #expect(own.count >= 4, "\(names())")
        for pid in own { #expect(kill(pid, SIGSTOP) == 0) }
        // Children first, some of which end with the one that made them: a group that loses its parent while one of it is stopped
        // goes on, all of it, with SIGHUP (_exit(2)).
        for pid in own.sorted(by: >) { #expect(kill(pid, SIGKILL) == 0 || errno == ESRCH) }
        _ = try host.finish()
        #expect(names().values.contains("sleep\n"), "\(names())")
        let next = try Daemon(station)
        #expect(!names().values.contains("sleep\n"), "\(names())")
        #expect(try next.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("is no control group of a launch that failed, neither while the host lives nor after a clean stop")
    func failedLaunch() throws {
        let station = try Station()
        // More than a frame to a worker holds.
        let paths = (0..<60).map { "/" + String(repeating: "x", count: 4000) + "\($0)" }
        let task = try station.add(
            ManifestText(fixture: "fixtures.noop").with("permissions", ["read": paths])
        ).tasks[0]
        let daemon = try Daemon(station)
        for count in 1...3 {
            try daemon.tell("submit", task)
            try daemon.wait(for: "run.ended", task, count: count)
            // The next launch takes what this one has not used.
            let groups = try station.controlGroups().map { try Self.groups(of: task, below: $0) }
            #expect(groups.allSatisfy { $0 <= 1 }, "\(groups) after \(count)")
        }
        let runs = try station.history()
        #expect(runs.count == 3)
        for run in runs {
            #expect(run.outcome == "refused" && run.diagnostics.contains { $0.contains("too long") }, "\(run)")
        }
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    /// The application's groups in a folder of the host's groups.
    private static func groups(of application: String, below folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).count { $0.contains(application) }
    }
}
