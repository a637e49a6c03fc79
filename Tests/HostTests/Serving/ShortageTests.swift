import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("When the host or the machine lacks something for a launch", .enabled(if: Machine.isRoot, "prlimit on others"))
struct ShortageTests {
    private static let application = "org.taskhost.test.shortage"
    private static let isolations = ["shared", "run", "exec"]

    private static func stage(_ isolation: String) throws -> ManifestText {
        var manifest = try ManifestText(stage: application, ["pass": "stage_pass", "wait": "stage_wait"])
        if isolation != "shared" { manifest["isolation"] = isolation }
        return manifest
    }

    @Test("a request without descriptors waits, says for what, and runs when there are some", arguments: isolations)
    func descriptors(_ isolation: String) throws {
        let station = try Station()
        try station.add(Self.stage(isolation))
        let daemon = try Daemon(station)
        let (task, host) = ("\(Self.application).pass", daemon.program.pid)
        // The API still works with the few that are left; a worker would take more.
        try Limits.setDescriptors(try Limits.descriptors(of: host) + 10, of: host)
        try daemon.tell("submit", task)
        try daemon.wait(for: "run.ended", task)
        let why = try daemon.why(task)
        #expect(why.pending)
        let gate = try #require(why.gates.first { $0.gate == "shortage" })
        #expect(gate.found.contains("free file descriptors"), "\(gate)")
        try Limits.setDescriptors(4096, of: host)
        try daemon.waitUntil { try daemon.pending().isEmpty && !(try daemon.ends(of: task, "succeeded")).isEmpty }
        let runs = try station.history().filter { $0.identifier == task }
        let returned = runs.dropLast()
        #expect(!returned.isEmpty && returned.allSatisfy { $0.outcome == "interrupted" && $0.startedAt == nil })
        #expect(returned.allSatisfy { $0.diagnostics.contains { $0.contains("free file descriptors") } }, "\(runs)")
        // Its handler was invoked once.
        #expect(runs.map(\.attempt).allSatisfy { $0 == 1 }, "\(runs)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("a zygote that is killed interrupts what ran, which is no one's crash, and what ran runs again")
    func zygote() throws {
        let station = try Station()
        try station.add(Self.stage("shared"))
        let daemon = try Daemon(station)
        let task = "\(Self.application).wait"
        for round in 1...4 {
            if round == 1 { try daemon.tell("submit", task) }
            try daemon.waitForWork(task, count: round)
            let zygote = try #require(daemon.zygotes.first)
            #expect(kill(zygote, SIGKILL) == 0)
            try daemon.wait(for: "run.ended", task, count: round)
        }
        try daemon.waitForWork(task, count: 5)
        let runs = try station.history().filter { $0.identifier == task }
        #expect(runs.map(\.attempt) == [1, 2, 3, 4, 5])
        #expect(runs.dropLast().allSatisfy { $0.outcome == "interrupted" && $0.signal == nil }, "\(runs)")
        // Three crashes in a row would have been a quarantine.
        try daemon.tell("submit", task)
        let gate = try #require(try daemon.why(task).gates.first { $0.gate == "quarantine" })
        #expect(!gate.holds && gate.found == "no crash", "\(gate)")
        try daemon.tell("cancel", task)
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    /// A daemon with a run at work, and the processes that it has for that.
    private func working(_ isolation: String) throws -> (daemon: Daemon, zygote: Int32, worker: Int32) {
        let station = try Station()
        try station.add(Self.stage(isolation))
        let daemon = try Daemon(station)
        let task = "\(Self.application).wait"
        try daemon.tell("submit", task)
        try daemon.waitForWork(task)
        let zygote = try #require(daemon.zygotes.first)
        let worker = try #require(daemon.workers(of: zygote).first)
        return (daemon, zygote, worker)
    }

    @Test(
        "workers go first when memory runs out, and the process that they are forked from does not",
        arguments: isolations)
    func memoryScore(_ isolation: String) throws {
        let (daemon, zygote, worker) = try working(isolation)
        let own = try Limits.memoryScore(of: daemon.program.pid)
        #expect(try Limits.memoryScore(of: zygote) == own)
        #expect(try Limits.memoryScore(of: worker) == max(500, own))
        try daemon.kill()
    }

    @Test("a worker has its own limit of descriptors, whatever the host raised its own to", arguments: isolations)
    func workersLimit(_ isolation: String) throws {
        let (daemon, zygote, worker) = try working(isolation)
        #expect(try Self.openFiles(of: worker) == ["256", "256"])
        #expect(try Self.openFiles(of: zygote).first == "1024")
        let (soft, hard) = (
            try Self.openFiles(of: daemon.program.pid)[0], try Self.openFiles(of: daemon.program.pid)[1]
        )
        #expect(soft == hard || Int(soft) == 524_288)
        try daemon.kill()
    }

    @Test("the host and what it forks wait less for a processor where the kernel can do that", arguments: isolations)
    func slices(_ isolation: String) throws {
        let (daemon, zygote, worker) = try working(isolation)
        // Whether the kernel has a slice for each thread shows the first process, which has the usual one.
        let expected = ThisProcess.slice(of: 1) == nil ? nil : TimeSpan(nanoseconds: 100_000)
        for pid in [daemon.program.pid, zygote, worker] { #expect(ThisProcess.slice(of: pid) == expected) }
        try daemon.kill()
    }

    private static func openFiles(of pid: Int32) throws -> [String] {
        let text = try String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        return line.dropFirst(14).split(separator: " ").prefix(2).map(String.init)
    }

    @Test("a fork that the kernel refuses puts the request back, also that of an ordinary user's host")
    func processes() throws {
        let station = try Station(user: Machine.nobody)
        var manifest = try Self.stage("run").with("enforcement", "bestEffort")
        manifest.setBudget(of: "\(Self.application).pass", ["wallClock": "60s"])
        try station.add(manifest)
        let daemon = try Daemon(station)
        let task = "\(Self.application).pass"
        try daemon.tell("submit", task)
        try daemon.wait(for: "run.ended", task)
        let zygote = try #require(daemon.zygotes.first)
        try Limits.setProcesses(1, of: zygote, user: Machine.nobody)
        try daemon.tell("submit", task)
        try daemon.wait(for: "run.ended", task, count: 2)
        let gate = try #require(try daemon.why(task).gates.first { $0.gate == "shortage" })
        #expect(gate.found.contains("room for another process"), "\(gate)")
        try Limits.setProcesses(4096, of: zygote, user: Machine.nobody)
        try daemon.waitUntil { try daemon.ends(of: task, "succeeded").count == 2 }
        #expect(try daemon.stop().status == 0)
    }

    @Test("a launch that is slow for lack of a processor is tried again, and the library is not to blame")
    func busyMachine() throws {
        let station = try Station()
        try station.configure("launch", "500ms")
        try station.configure("idleWorker", "0s")
        try station.add(Self.stage("run"))
        let daemon = try Daemon(station)
        let task = "\(Self.application).pass"
        // The first run makes the zygote, and runs wherever there is room; it may take more than one launch as well.
        try daemon.tell("submit", task)
        try daemon.waitUntil { try !daemon.ends(of: task, "succeeded").isEmpty }
        let zygote = try #require(daemon.zygotes.first)
        func schedule(_ policy: String, processors: String) throws {
            for words in [["taskset", "-a", "-p", processors], ["chrt", policy, "--pid", "0"]] {
                let end = try Program(words[0], words.dropFirst() + ["\(zygote)"]).finish()
                #expect(end.succeeded, "\(end)")
            }
        }
        try schedule("--idle", processors: "1")
        var asked = 1
        let gate: Daemon.Explanation.Gate
        do {
            // Workers inherit the processor and the policy: next to nothing is left for them, and no one else suffers.
            let spinners = try (0..<4).map { _ in
                try Program("taskset", ["-c", "0", "sh", "-c", "while :; do :; done"])
            }
            // Next to nothing may still be enough for one launch, and the pause may end before the test asks for it.
            var shut: Daemon.Explanation.Gate?
            while shut == nil {
                try daemon.tell("submit", task)
                asked += 1
                try daemon.waitUntil {
                    shut = try daemon.why(task).gates.first { $0.gate == "shortage" }
                    return try shut != nil || daemon.ends(of: task, "succeeded").count == asked
                }
            }
            gate = try #require(shut)
            withExtendedLifetime(spinners) {}
        }
        // Others may spin beside this test, and each try that fails doubles the pause before the next.
        try schedule("--other", processors: "ffffffff")
        try daemon.waitUntil { try daemon.ends(of: task, "succeeded").count == asked }
        let runs = try station.history().filter { $0.identifier == task }
        #expect(gate.found.contains("a free processor and disk"), "\(gate)\n\(runs.map(\.diagnostics))")
        #expect(runs.allSatisfy { $0.outcome == "succeeded" || $0.outcome == "interrupted" }, "\(runs)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test(
        "a library that hangs in its launch is refused after that time, however short the budget, and says where",
        arguments: ["constructor-hang", "launch-hangs"])
    func hangingLibrary(_ fixture: String) throws {
        let station = try Station()
        try station.configure("launch", "3s")
        var manifest = try ManifestText(fixture: "hostile.\(fixture)")
        let task = manifest.tasks[0]
        manifest.setBudget(of: task, ["wallClock": "1s"])
        try station.add(manifest)
        let report = try station.run(task)
        let run = try #require(report[task])
        #expect(run.outcome == "refused")
        let sentence = try #require(run.diagnostics.first)
        #expect(sentence.contains("a constructor or launch() of the library hangs"), "\(run)")
        #expect(sentence.contains("within 3") || sentence.contains("within 2.9"), "\(run)")
        #expect(sentence.contains("libhostile-\(fixture).so+0x"), "\(run)")
        station.expectNothingLeft()
    }

    @Test("a library that hangs in its launch again and again is quarantined")
    func quarantine() throws {
        let station = try Station()
        try station.configure("launch", "200ms")
        var manifest = try ManifestText(fixture: "hostile.constructor-hang")
        let task = manifest.tasks[0]
        manifest.setTask(task, "retry", ["attempts": 5, "backoff": "10ms"])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("submit", task)
        try daemon.wait(for: "journal", "quarantined")
        let runs = try station.history().filter { $0.identifier == task && $0.outcome == "refused" }
        #expect(runs.map(\.attempt) == [1, 2, 3], "\(runs)")
        #expect(try daemon.why(task).holding.contains("quarantine"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("taskhost run waits with a line that says for what, and then continues")
    func runWaits() throws {
        let station = try Station()
        try station.add(Self.stage("shared"))
        let daemon = try Daemon(station)
        let (task, host) = ("\(Self.application).pass", daemon.program.pid)
        try Limits.setDescriptors(try Limits.descriptors(of: host) + 10, of: host)
        let program = try station.start(["run", task, "--json"], manifests: false)
        try program.wait(forText: "\(task) waits for free file descriptors")
        try Limits.setDescriptors(4096, of: host)
        let report = try station.finish(program)
        #expect(report[task]?.outcome == "succeeded", "\(report.command)")
        // Ctrl-C ends one that waits.
        try daemon.stopIdleWorkers()
        try Limits.setDescriptors(try Limits.descriptors(of: host) + 10, of: host)
        let second = try station.start(["run", task, "--json"], manifests: false)
        try second.wait(forText: "\(task) waits for free file descriptors")
        try second.signal(SIGINT)
        #expect(try station.finish(second)[task]?.outcome == "cancelled")
        try Limits.setDescriptors(4096, of: host)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "a worker's control group that another process removed refuses nothing: the next launch has another",
        .enabled(if: Machine.isRoot, "only root sees all groups"))
    func removedGroups() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        let daemon = try Daemon(station)
        let first = try station.finish(try station.start(["run", task, "--json"], manifests: false))
        #expect(first[task]?.outcome == "succeeded", "\(first.command)")
        try daemon.stopIdleWorkers()
        var removed = 0
        for folder in station.controlGroups() {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                removed += rmdir("\(folder)/\(name)") == 0 ? 1 : 0
            }
        }
        try #require(removed > 0)
        let report = try station.finish(try station.start(["run", task, "--json"], manifests: false))
        #expect(report[task]?.outcome == "succeeded", "\(report.command)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("an application that cannot be launched ten times in a row is in the journal, though no run waits for it")
    func wakes() throws {
        let station = try Station()
        try station.add(Self.stage("shared"))
        let daemon = try Daemon(station)
        let host = daemon.program.pid
        try Limits.setDescriptors(try Limits.descriptors(of: host) + 10, of: host)
        // A user who opens it does not wait for the end of the pause.
        for _ in 0..<10 {
            try daemon.tell("foreground", Self.application)
            try daemon.tell("background", Self.application)
        }
        let lines = try daemon.tell("journal").split(separator: "\n").filter { $0.contains("  shortage  ") }
        #expect(lines.count == 1 && lines[0].contains("free file descriptors 10 times within an hour"), "\(lines)")
        try Limits.setDescriptors(4096, of: host)
        #expect(try daemon.stop().status == 0)
    }

    @Test("many applications run where the host may have few descriptors", arguments: [(120, 200), (10, 70), (4, 64)])
    func manyApplications(_ count: Int, _ descriptors: Int) throws {
        let station = try Station()
        var tasks: Set<String> = []
        for number in 0..<count {
            let manifest = ManifestText(
                foreign: "org.taskhost.test.many\(number)",
                [
                    "library": "libc.so.6", "symbol": "abs", "signature": "i32(i32)", "arguments": [1],
                    "success": "result == 1",
                ], budget: ["wallClock": "5s", "grace": "1s"])
            tasks.insert(try station.add(manifest).tasks[0])
        }
        station.starter = ["prlimit", "--nofile=\(descriptors):\(descriptors)"]
        let program = try station.start(["run", "--all", "--json"])
        let report = try station.finish(program, patience: .long)
        #expect(Set(report.runs.filter { $0.outcome == "succeeded" }.map(\.identifier)) == tasks)
        #expect(report.runs.count == tasks.count)
        station.expectNothingLeft()
    }
}

extension Daemon {
    /// The runs of the task that ended so.
    fileprivate func ends(of task: String, _ outcome: String) throws -> [RunDocument] {
        try station.history().filter { $0.identifier == task && $0.outcome == outcome }
    }

    /// Lets workers without runs leave, and waits until they have.
    fileprivate func stopIdleWorkers() throws {
        for zygote in zygotes {
            for worker in workers(of: zygote) {
                Glibc.kill(worker, SIGKILL)
                _ = station.waitForEnd(ofOneOf: [worker])
            }
        }
        try waitUntil { zygotes.allSatisfy { workers(of: $0).isEmpty } }
    }
}
