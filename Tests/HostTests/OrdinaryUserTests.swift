import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A host of an ordinary user", .enabled(if: Machine.isRoot, "only root can become another user"))
struct OrdinaryUserTests {
    @Test("runs every example")
    func examples() throws {
        let station = try Station(user: Machine.nobody)
        let folder = Places.root.appending(path: "manifests")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") && $0 != "schema.json" }
        #expect(names.count >= 4)
        let tasks = try names.flatMap { try station.add(ManifestText(file: folder.appending(path: $0))).tasks }
        let report = try station.run("--all", "--payload-text", "123456789", patience: .long)
        #expect(report.command.succeeded, "\(report.command)")
        #expect(report.runs.count == tasks.count)
        for run in report.runs {
            #expect(run.outcome == "succeeded", "\(run)")
            let confinement = try #require(try station.show(run).confinement)
            #expect(confinement.contains("the host's user"), "\(confinement)")
        }
        station.expectNothingLeft()
    }

    @Test(
        "refuses what plugins must not do there either",
        arguments: [
            "attack-read", "attack-write", "attack-neighbours", "attack-network", "attack-exec", "attack-signals",
            "attack-parent", "attack-limits", "attack-kernel", "attack-own-library", "attack-inherited",
            "attack-environment", "attack-disk", "attack-host",
        ])
    func attacks(_ name: String) throws {
        let station = try Station(user: Machine.nobody)
        let task = try station.add(fixture: "hostile.\(name)").tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        if run.outcome != "succeeded" { Issue.record("\(try station.logs(run).text)") }
        station.expectNothingLeft()
    }

    @Test(
        "holds runs to their budgets, and leaves nothing of them",
        arguments: [
            ("spin", "overran"), ("burn-child", "exceededCPU"), ("leak-child", "exceededMemory"),
            ("fill-disk", "exceededDisk"), ("daemonise", "unreported"), ("crash-abort", "crashed"),
        ])
    func budgets(_ name: String, _ outcome: String) throws {
        let station = try Station(user: Machine.nobody)
        let task = try station.add(fixture: "hostile.\(name)").tasks[0]
        let report = try station.run(task)
        #expect(report[task]?.outcome == outcome, "\(report.command)")
        station.expectNothingLeft()
    }

    @Test("without control groups counts processes, and ends a tree that has too many")
    func counts() throws {
        let station = try Station(user: Machine.nobody)
        try station.configure("control", "none")
        // So many processes have much memory as well.
        var bomb = try ManifestText(fixture: "hostile.fork-bomb")
        bomb.setBudget(of: bomb.tasks[0], ["wallClock": "2m", "grace": "1s", "memory": "8GiB"])
        let task = try station.add(bomb).tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "crashed", "\(run)")
        #expect(
            run.diagnostics.contains { $0.contains("more than the 512 processes and threads") }, "\(run.diagnostics)")
        station.expectNothingLeft()
    }

    @Test("lets a group write its state folder only when it has that to itself")
    func privateGroup() throws {
        // A user without an entry, whose group has the same number.
        let user: UInt32 = 54_321
        let station = try Station(user: user)
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        #expect(chmod(station.state, 0o775) == 0)
        #expect(try station.run(task).command.succeeded)
        #expect(chown(station.state, user, 4) == 0)
        let report = try station.run(task)
        #expect(report.command.status == 73, "\(report.command)")
        #expect(report.command.errors.contains("chmod g-w"), "\(report.command)")
        #expect(chown(station.state, 4, user) == 0)
        #expect(try station.run(task).command.errors.contains("belongs to user 4"))
    }

    @Test(
        "reports that processes are not counted where it has a control group without that controller",
        .enabled(
            if: Machine.unifiedFolder != nil && Machine.tiers.first != "unified", "it takes cgroup 2 beside version 1"))
    func uncountedProcesses() throws {
        let home = try #require(Machine.unifiedFolder) + "/taskhost-test-\(UUID().uuidString)"
        #expect(mkdir(home, 0o755) == 0)
        defer { rmdir(home) }
        for path in [home, home + "/cgroup.procs", home + "/cgroup.subtree_control"] {
            #expect(chown(path, Machine.nobody, Machine.nobody) == 0)
        }
        let station = try Station(user: Machine.nobody)
        station.starter = ["/bin/sh", "-c", "echo $$ >\"$0\"/cgroup.procs && exec \"$@\"", home]
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task], "\(report.command)")
        let confinement = try #require(station.show(run).confinement)
        #expect(confinement.contains("process tree: hybrid"), "\(confinement)")
        #expect(run.outcome == "succeeded" && run.degraded == ["processes"], "\(run)")
        #expect(station.processes().isEmpty)
    }
}
