import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("A worker")
struct IsolationTests {
    /// What a handler of stage.c said of the place where it runs.
    struct Place: Equatable {
        var process: Int32
        var thread: Int
        var address: String

        /// - Parameter log: a line `info: started PROCESS THREAD ADDRESS RUN`.
        init(_ log: String) throws {
            let words = log.split(separator: " ")
            guard words.count >= 6, words[1] == "started", let process = Int32(words[2]), let thread = Int(words[3])
            else { throw Problem("not a place: \(log)") }
            self.process = process
            self.thread = thread
            address = String(words[4])
        }
    }

    private func places(_ station: Station, _ runs: [RunDocument]) throws -> [Place] {
        try runs.map { try Place(station.logs($0).text) }
    }

    @Test("has the zygote's address layout, unless its manifest asks for a fresh one")
    func layout() throws {
        let randomises = try FileText.read("/proc/sys/kernel/randomize_va_space").first
        try #require(randomises == "2", "this machine places programs at fixed addresses")
        let station = try Station()
        for name in ["a", "b"] {
            try station.add(ManifestText(stage: "org.taskhost.zygote.\(name)", ["pass": "stage_pass"]))
            try station.add(
                ManifestText(stage: "org.taskhost.exec.\(name)", ["pass": "stage_pass"]).with("isolation", "exec"))
        }
        // One host: two hosts have zygotes of different layouts anyway.
        let report = try station.run("--all")
        let runs = try ["zygote.a", "zygote.b", "exec.a", "exec.b"].map {
            try #require(report["org.taskhost.\($0).pass"])
        }
        #expect(runs.allSatisfy { $0.outcome == "succeeded" }, "\(runs)")
        let places = try places(station, runs)
        #expect(Set(places.map(\.process)).count == 4)
        #expect(places[0].address == places[1].address)
        #expect(Set(places.map(\.address)).count == 3)
        let confinements = try runs.map { try #require(station.show($0).confinement) }
        #expect(Set(confinements).count == 1, "\(confinements)")
        station.expectNothingLeft()
    }

    @Test(
        "has the Swift runtime mapped only for a library that needs it",
        .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"),
        .enabled(if: Machine.isRoot, "only root may read the mappings of workers"))
    func runtime() throws {
        let station = try Station()
        let plain = try station.add(ManifestText(stage: "org.taskhost.plain", ["pass": "stage_pass"])).tasks[0]
        let library = try Places.products.appending(path: "libScrub.so").path
        let swift = ["zygote", "exec"].map { "org.taskhost.swift.\($0)" }
        for identifier in swift {
            let task: [String: Any] = [
                "kind": "processing", "handler": "scrub",
                "settings": ["folder": "/usr/share/zoneinfo", "maximumFiles": 3],
            ]
            try station.add(
                ManifestText(members: [
                    "identifier": identifier, "library": library, "tasks": [identifier: task],
                    "isolation": identifier.hasSuffix("exec") ? "exec" : "zygote",
                    "permissions": ["read": ["/usr/share/zoneinfo"]],
                ]))
        }
        let daemon = try Daemon(station)
        for task in [plain] + swift {
            try daemon.tell("submit", task)
            try daemon.wait(for: "run.ended", task)
        }
        #expect(try station.history().map(\.outcome) == ["succeeded", "succeeded", "succeeded"])
        // Those that have no plugin mapped are zygotes and their keepers.
        let maps = Descendants(of: daemon.program.pid).living.map(\.pid).compactMap {
            try? FileText.read("/proc/\($0)/maps")
        }
        let zygotes = maps.filter { !$0.contains("libScrub.so") && !$0.contains("libstage.so") }
        #expect(Set(zygotes.map { $0.contains("/libswiftCore.so") }) == [false, true])
        #expect(maps.allSatisfy { !$0.contains("libFoundation") })
        #expect(maps.allSatisfy { !$0.contains("libstage.so") || !$0.contains("/libswiftCore.so") })
    }

    @Test("serves several runs of its application at once, each on its own thread")
    func shared() throws {
        let station = try Station()
        let task = try station.add(ManifestText(stage: "org.taskhost.shared", ["pass": "stage_pass"])).tasks[0]
        #expect(try station.run(task, "--repeat", "20", "--concurrency", "8").command.succeeded)
        let runs = try station.history()
        let places = try places(station, runs)
        #expect(places.count == 20)
        #expect(Set(places.map(\.process)).count == 1)
        #expect(Set(places.map(\.thread)).count >= 2)
    }

    @Test("serves other runs while a handler keeps its thread")
    func blocked() throws {
        let station = try Station()
        var manifest = try ManifestText(
            stage: "org.taskhost.blocked", ["tree": "stage_tree", "pass": "stage_pass"])
        manifest.setBudget(of: "org.taskhost.blocked.tree", ["wallClock": "5s", "grace": "100ms"])
        try station.add(manifest)
        let report = try station.run("org.taskhost.blocked.tree", "org.taskhost.blocked.pass")
        let (tree, pass) = try (
            #require(report["org.taskhost.blocked.tree"]), #require(report["org.taskhost.blocked.pass"])
        )
        #expect(tree.outcome == "overran" && pass.outcome == "succeeded", "\(report.runs)")
        #expect(try #require(pass.endedAt) < #require(tree.endedAt))
        let places = try places(station, [tree, pass])
        #expect(places[0].process == places[1].process && places[0].thread != places[1].thread)
        station.expectNothingLeft()
    }

    @Test("is one for each run when the manifest asks for that")
    func runIsolation() throws {
        let station = try Station()
        let manifest = try ManifestText(stage: "org.taskhost.apart", ["pass": "stage_pass"]).with("isolation", "run")
        let task = try station.add(manifest).tasks[0]
        #expect(try station.run(task, "--repeat", "6", "--concurrency", "3").command.succeeded)
        let places = try places(station, station.history())
        #expect(places.count == 6)
        #expect(Set(places.map(\.process)).count == 6)
        station.expectNothingLeft()
    }

    @Test("ends when it has been idle for long enough, while the host continues")
    func idle() throws {
        let station = try Station()
        try station.configure("idleWorker", "300ms")
        let pass = try station.add(ManifestText(stage: "org.taskhost.idle", ["pass": "stage_pass"])).tasks[0]
        let wait = try station.add(ManifestText(stage: "org.taskhost.other", ["wait": "stage_wait"])).tasks[0]
        let host = try station.start(["run", pass, wait])
        try host.wait(forText: "started", count: 2)
        // From the screen: it may not be on disk yet.
        let processes = (host.output + host.errors).matches(of: /started (\d+)/).compactMap { Int32($0.1) }
        #expect(Set(processes).count == 2)
        // One of the two ends by itself, while the host and the other continue.
        let ended = try #require(station.waitForEnd(ofOneOf: processes))
        try host.signal(SIGINT)
        #expect(try host.finish().status == 16)
        let runs = try station.history()
        #expect(runs.map(\.outcome).filter { $0 == "succeeded" }.count == 1)
        let run = try #require(runs.first { $0.identifier == pass })
        #expect(run.outcome == "succeeded")
        #expect(try self.places(station, [run])[0].process == ended)
        station.expectNothingLeft()
    }

    @Test("takes the other runs of its application along when one must be killed, and those of no other")
    func killed() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.together", ["spin": "stage_spin", "wait": "stage_wait"])
        manifest.setBudget(of: "org.taskhost.together.spin", ["wallClock": "500ms", "grace": "100ms"])
        let application = try station.add(manifest)
        try station.add(ManifestText(stage: "org.taskhost.neighbour", ["pass": "stage_pass"]))
        let report = try station.run(application.identifier, "org.taskhost.neighbour")
        let spinning = try #require(report["org.taskhost.together.spin"])
        #expect(spinning.outcome == "overran" && spinning.reason == "budget", "\(spinning)")
        let sibling = try #require(report["org.taskhost.together.wait"])
        #expect(sibling.outcome == "interrupted" && sibling.reason == "applicationTerminated", "\(sibling)")
        #expect(report["org.taskhost.neighbour.pass"]?.outcome == "succeeded")
        #expect(report.command.status == 16)
        station.expectNothingLeft()
    }

    @Test("is shared for good or ill: a crash interrupts the other runs in it, and those of no other application")
    func crash() throws {
        let station = try Station()
        let application = try station.add(
            ManifestText(stage: "org.taskhost.together", ["crash": "stage_crash", "wait": "stage_wait"]))
        try station.add(ManifestText(stage: "org.taskhost.neighbour", ["pass": "stage_pass"]))
        let report = try station.run(application.identifier, "org.taskhost.neighbour")
        let crashed = try #require(report["org.taskhost.together.crash"])
        #expect(crashed.outcome == "crashed" && crashed.signal == SIGABRT, "\(crashed)")
        let sibling = try #require(report["org.taskhost.together.wait"])
        #expect(sibling.outcome == "interrupted" && sibling.reason == "applicationTerminated", "\(sibling)")
        #expect(sibling.signal == nil)
        #expect(report["org.taskhost.neighbour.pass"]?.outcome == "succeeded")
        #expect(report.command.status == 16)
        station.expectNothingLeft()
    }

    @Test("keeps an application's memory from run to run, and its states in order")
    func application() throws {
        let station = try Station()
        let counter = try station.add(fixture: "fixtures.counter")
        let report = try station.run(
            "\(counter.identifier).increment", "\(counter.identifier).report", "--concurrency", "1")
        let run = try #require(report["\(counter.identifier).report"])
        #expect(try station.logs(run).text.contains("count 1"))
        let lifecycle = station.folder.file("state/applications/\(counter.identifier)/state/lifecycle")
        let lines = try String(contentsOf: lifecycle, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "launched" && lines.last == "terminating", "\(lines)")
    }

    @Test("reaches its own folders", arguments: ["zygote", "run", "exec"])
    func ownFolders(_ isolation: String) throws {
        let station = try Station()
        for folder in ["state", "cache"] {
            try station.add(
                ManifestText(
                    foreign: "org.taskhost.own.\(folder)",
                    [
                        "library": "libc.so.6", "symbol": "creat", "signature": "i32(string, u32)",
                        "arguments": ["$\(folder.uppercased())/made", 0o600], "success": "result >= 0",
                    ], budget: ["wallClock": "10s"]
                ).with("isolation", isolation))
        }
        let report = try station.run("--all")
        for folder in ["state", "cache"] {
            let name = "org.taskhost.own.\(folder)"
            #expect(report[name]?.outcome == "succeeded", "\(report.command)")
            let made = station.folder.file("state/applications/\(name)/\(folder)/made").path
            #expect(FileManager.default.fileExists(atPath: made))
        }
        station.expectNothingLeft()
    }
}
