import Control
import Foundation
import Glibc
import Linux
import TestSupport
import Testing

/// Processes that are made ahead, end to end.
@Suite("A process that is made ahead")
struct SpareTests {
    private static func spares(_ daemon: Daemon) throws -> Int {
        let exposition = try Exposition(daemon.ask(.get, "/metrics").text, isOpenMetrics: false)
        return try Int(#require(exposition.value("taskhost_workers", ["state": "spare"])))
    }

    /// A daemon with a task that says which process it is.
    private struct Ahead {
        let station: Station
        let task: String
        let daemon: Daemon

        init() throws {
            station = try Station()
            let manifest = try ManifestText(stage: "org.taskhost.ahead", ["pass": "stage_pass"])
            task = try station.add(manifest.with("isolation", "run")).tasks[0]
            daemon = try Daemon(station)
        }

        func waitForSpare() throws -> Set<Int32> { try SpareTests.waitForSpare(daemon, task) }
    }

    /// Lets the task run until a process was made ahead for its next run, and returns what belongs to the station then.
    private static func waitForSpare(_ daemon: Daemon, _ task: String) throws -> Set<Int32> {
        for _ in 0..<3 {
            #expect(try daemon.station.start(["run", task], manifests: false).finish().succeeded)
        }
        try Patience.wait(for: "a spare process") { try spares(daemon) == 1 }
        return Set(daemon.station.processes())
    }

    private func process(_ station: Station, _ run: RunDocument) throws -> Int32 {
        try IsolationTests.Place(station.logs(run).text).process
    }

    @Test("serves the next run of its application, which then finds one made again; none is left when the host stops")
    func serves() throws {
        let ahead = try Ahead()
        let (station, task, daemon) = (ahead.station, ahead.task, ahead.daemon)
        for _ in 0..<2 {
            let before = try ahead.waitForSpare()
            #expect(try station.start(["run", task], manifests: false).finish().succeeded)
            let last = try #require(try station.history().last)
            #expect(before.contains(try process(station, last)), "\(Surroundings.text)")
        }
        let runs = try station.history()
        #expect(try Set(runs.map { try process(station, $0) }).count == runs.count)
        #expect(runs.allSatisfy { $0.outcome == "succeeded" })
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("that dies before the host hears of it costs the run nothing that takes it")
    func dies() throws {
        let ahead = try Ahead()
        let (station, task, daemon) = (ahead.station, ahead.task, ahead.daemon)
        for round in 1...3 {
            let spare = try ahead.waitForSpare().filter {
                $0 != daemon.program.pid && ProcessStatus(of: $0)?.parent != daemon.program.pid
            }
            // It hears of the request and of the death in one turn.
            try daemon.program.signal(SIGSTOP)
            let request = try Program(
                "curl",
                [
                    "-sv", "--unix-socket", station.state + "/control.sock", "-H", "Content-Type: application/json",
                    "-d", #"{"identifiers": ["\#(task)"]}"#, "http://localhost/v1/runs",
                ])
            try request.wait(forText: "> POST")
            for process in spare { Glibc.kill(process, SIGKILL) }
            try daemon.program.signal(SIGCONT)
            #expect(try request.finish().succeeded)
            try Patience.wait(for: "its end") {
                try station.history().count { $0.outcome != nil } == 4 * round
            }
        }
        let runs = try station.history()
        #expect(runs.allSatisfy { $0.outcome == "succeeded" }, "\(runs)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("ends with a host that is killed")
    func killed() throws {
        let ahead = try Ahead()
        _ = try ahead.waitForSpare()
        try ahead.daemon.kill()
    }

    @Test("serves none whose manifest, or a file of it, is another by then: that run has a process of its own time")
    func stale() throws {
        let station = try Station()
        let file = station.folder.file("granted")
        try Data("first\n".utf8).write(to: file)
        var manifest = ManifestText(members: ["identifier": "org.taskhost.ahead", "confinement": "full"])
        manifest.addTask(
            "org.taskhost.ahead.read",
            ["kind": "processing", "handler": ["command": ["/bin/cat", file.path]], "budget": ["memory": "512MiB"]])
        manifest = manifest.with("permissions", ["read": [file.path]])
        let task = try station.add(manifest).tasks[0]
        let daemon = try Daemon(station)
        _ = try Self.waitForSpare(daemon, task)
        // Another file of that name: a rule holds the one that was there.
        try Data("second\n".utf8).write(to: file, options: .atomic)
        #expect(try station.start(["run", task], manifests: false).finish().succeeded)
        #expect(try station.logs(#require(try station.history().last)).text == "second\n")
        _ = try Self.waitForSpare(daemon, task)
        try station.add(manifest.with("permissions", ["read": [file.path, "/etc/hostname"]]))
        try daemon.tell("reload")
        try Patience.wait(for: "its end") { try Self.spares(daemon) == 0 }
        #expect(try station.history().allSatisfy { $0.outcome == "succeeded" })
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }
}
