import Control
import Foundation
import Glibc
import JSON
import Linux
import TestSupport
import Testing

@Suite("A suspended application")
struct SuspensionTests {
    private static let application = "org.taskhost.fixtures.liver"

    /// A daemon with the application in front, then in the background, suspended as soon as may be.
    private struct Life {
        let station: Station
        let daemon: Daemon

        init(tier: String? = nil, suspendAfter: String = "100ms", user: UInt32? = nil) throws {
            station = try Station(user: user)
            try station.configure("suspendAfter", suspendAfter)
            if let tier { try station.configure("control", tier) }
            try station.add(fixture: "fixtures.liver")
            daemon = try Daemon(station)
        }

        func suspend() throws {
            try daemon.tell("foreground", SuspensionTests.application)
            try daemon.waitUntil { try state == "active" }
            try daemon.tell("background", SuspensionTests.application)
            try daemon.waitUntil { try state == "suspended" }
        }

        var state: String {
            get throws {
                let list = try daemon.ask(.get, "/v1/applications").document()["applications"]?.array ?? []
                let own = list.first { $0["identifier"]?.string == SuspensionTests.application }
                return try #require(own?["state"]?.string)
            }
        }

        func run(_ task: String, _ payload: String = "") throws -> Command {
            try station.start(
                ["run", SuspensionTests.application + "." + task, "--payload-text", payload, "--json"],
                manifests: false
            ).finish()
        }

        private func file(_ name: String) -> String {
            (try? String(
                contentsOfFile: station.state + "/applications/\(SuspensionTests.application)/state/\(name)",
                encoding: .utf8)) ?? ""
        }
        var ticks: String { file("ticks") }
        var states: [String] { file("states").split(separator: "\n").map(String.init) }
    }

    @Test(
        "is frozen in every tier, continues for a run and for the user, and receives no more than it should",
        arguments: Machine.tiers)
    func standsStill(tier: String) throws {
        let life = try Life(tier: tier)
        try life.suspend()
        // It counts every two milliseconds when it moves. The kernel freezes a process after it was asked to, the sooner the fewer
        // others compute (cgroup.freeze, "Control Group v2").
        var before = ""
        try Patience.wait(for: "it to stand still") {
            let last = before
            before = life.ticks
            return before == last && before != ""
        }
        // The host has had turns meanwhile, and curl a process for each.
        for _ in 0..<5 { #expect(try life.state == "suspended") }
        #expect(life.ticks == before)
        #expect(try life.run("touch").succeeded)
        try life.daemon.waitUntil { try life.state == "suspended" }
        #expect(life.ticks != before)
        try life.daemon.tell("foreground", Self.application)
        try life.daemon.waitUntil { try life.state == "active" }
        #expect(try life.daemon.stop().status == 0)
        let told = ["inactive", "active", "inactive", "background", "inactive", "active", "willTerminate"]
        #expect(life.states.suffix(7) == told[...], "\(life.states)")
        life.station.expectNothingLeft()
    }

    @Test("is killed without a callback by a force-quit and by the end of the host", arguments: Machine.tiers)
    func ends(tier: String) throws {
        let life = try Life(tier: tier)
        try life.suspend()
        try life.daemon.tell("quit", Self.application)
        try life.daemon.waitUntil { try life.state == "notRunning" }
        #expect(life.states.last == "background")
        try life.suspend()
        #expect(try life.daemon.stop().status == 0)
        #expect(life.states.last == "background")
        life.station.expectNothingLeft()
    }

    @Test("and one that runs are told apart when their manifest goes: only the latter gets willTerminate")
    func removed() throws {
        for isSuspended in [false, true] {
            let life = try Life()
            if isSuspended {
                try life.suspend()
            } else {
                try life.daemon.tell("foreground", Self.application)
                try life.daemon.waitUntil { try life.state == "active" }
            }
            let manifest = life.station.manifestFolder.appending(path: "\(Self.application).json")
            try FileManager.default.removeItem(at: manifest)
            try life.daemon.waitUntil { try life.state == "notRunning" }
            #expect(try life.daemon.stop().status == 0)
            #expect(life.states.last == (isSuspended ? "background" : "willTerminate"), "\(life.states)")
        }
    }

    @Test("is gone with its host, however that ends", arguments: Machine.tiers)
    func dies(tier: String) throws {
        let life = try Life(tier: tier)
        try life.suspend()
        try life.daemon.program.signal(SIGKILL)
        _ = try life.daemon.program.finish()
        let daemon = try Daemon(life.station)
        #expect(try daemon.stop().status == 0)
        life.station.expectNothingLeft()
    }

    @Test(
        "ends when it holds a lock on a file that is not its own, under an ordinary user's host as well",
        arguments: Machine.isRoot ? [nil, Machine.nobody] : [nil])
    func lock(user: UInt32?) throws {
        let life = try Life(user: user)
        let file = "/tmp/taskhost-lock-\(getpid())-\(user ?? 0)"
        defer { unlink(file) }
        #expect(try life.run("lock", file).succeeded)
        try life.daemon.waitUntil { try life.state == "notRunning" }
        #expect(try life.daemon.tell("journal").contains("0xdead10cc"))
        #expect(try life.daemon.stop().status == 0)
    }

    @Test(
        "is not, while it holds an assertion, or a lock on its own folder or a file in it",
        arguments: ["state/own", "state"], Machine.isRoot ? [nil, Machine.nobody] : [nil])
    func held(_ place: String, user: UInt32?) throws {
        let life = try Life(suspendAfter: "0s", user: user)
        let own = life.station.state + "/applications/\(Self.application)/\(place)"
        #expect(try life.run("lock", own).succeeded)
        try life.daemon.waitUntil { try life.state == "suspended" }
        #expect(try life.run("hold").succeeded)
        #expect(try life.state == "background")
        #expect(try life.daemon.stop().status == 0)
    }

    @Test("that cannot be launched says why where the user who opened it looks")
    func unlaunchable() throws {
        let station = try Station()
        try station.add(fixture: "hostile.launch-fails")
        let daemon = try Daemon(station)
        try daemon.tell("foreground", "org.taskhost.hostile.launch-fails")
        try daemon.wait(for: "journal", "launchFailed")
        let journal = try daemon.tell("journal")
        #expect(journal.contains("launch() of org.taskhost.hostile.launch-fails returned"), "\(journal)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("goes first when memory is short")
    func pressure() throws {
        let life = try Life()
        try life.suspend()
        try life.daemon.tell("device", "set", "memory=high")
        try life.daemon.waitUntil { try life.state == "notRunning" }
        #expect(life.states.last == "background")
        try life.daemon.tell("device", "reset")
        #expect(try life.run("touch").succeeded)
        #expect(try life.daemon.stop().status == 0)
    }

    @Test("does not wake the host for busy processors, which none of its work minds")
    func watched() throws {
        let life = try Life()
        try life.suspend()
        func source(_ name: String) throws -> String {
            let found = try life.daemon.ask(.get, "/v1/device").document()["conditions"]?[name]?["source"]?.string
            return try #require(found)
        }
        try life.daemon.waitUntil { try !source("memory").contains("not watched") }
        #expect(try source("cpu") == "unknown: not watched while no work minds it")
        #expect(try life.daemon.stop().status == 0)
    }

    /// What the daemon and the application's worker have: processes, descriptors, threads and private memory.
    private struct Holdings {
        var processes: [Int32]
        /// What each of them is.
        var names: [String]
        var descriptors: [Int]
        var threads: [Int]
        /// Bytes that are theirs alone, of all (proc(5), smaps_rollup).
        var memory: Int

        init(_ station: Station) throws {
            processes = station.processes().sorted()
            names = try processes.map { try FileText.read("/proc/\($0)/comm") }
            descriptors = try processes.map { try FileSystem.names(in: "/proc/\($0)/fd").count }
            threads = try processes.map { try FileSystem.names(in: "/proc/\($0)/task").count }
            memory = try processes.reduce(0) { sum, process in
                let text = try FileText.read("/proc/\(process)/smaps_rollup")
                let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
                let words = line?.split(separator: " ") ?? []
                return sum + (words.count > 1 ? Int(words[1]) ?? 0 : 0) << 10
            }
        }
    }

    @Test("leaves no process, descriptor, thread or byte behind in a thousand cycles")
    func cycles() throws {
        let life = try Life(suspendAfter: "0s")
        // Other tests make memory short, and then a host ends suspended applications: another process would be there.
        try life.daemon.tell("device", "set", "memory=nominal")
        func cycle(_ count: Int) throws {
            let url = "http://localhost/v1/applications/\(Self.application)/"
            // One connection for all of them.
            var words = ["-sS", "--fail", "--unix-socket", life.station.state + "/control.sock"]
            for number in 0..<count {
                if number > 0 {
                    words += ["--next", "-sS", "--fail", "--unix-socket", life.station.state + "/control.sock"]
                }
                words += ["-X", "POST", "-o", "/dev/null", url + "foreground", "--next", "-sS", "--fail"]
                words += ["--unix-socket", life.station.state + "/control.sock"]
                words += ["-X", "POST", "-o", "/dev/null", url + "background"]
            }
            let command = try Program("curl", words).finish(patience: .long)
            try #require(command.succeeded, "\(command)")
            try life.daemon.waitUntil { try life.state == "suspended" }
        }
        try cycle(200)
        let before = try Holdings(life.station)
        for _ in 0..<5 { try cycle(200) }
        let after = try Holdings(life.station)
        let ends = try life.daemon.ask(.get, "/v1/terminations").text
        let journal = try life.daemon.tell("journal")
        #expect(after.processes == before.processes, "\(before) \(after) \(ends) \(journal)")
        #expect(zip(after.descriptors, before.descriptors).allSatisfy { $0 <= $1 }, "\(before) \(after)")
        // A busy machine makes a worker's team somewhat larger, but it does not grow with every cycle.
        #expect(zip(after.threads, before.threads).allSatisfy { $0 <= $1 + 8 }, "\(before) \(after)")
        // SQLite's cache grows with the journal, by some 100 bytes a cycle up to its limit; allocators and threads keep pages.
        #expect(after.memory - before.memory < 1 << 20, "\(after.memory - before.memory) bytes")
        #expect(life.states.count > 4 * 1000)
        #expect(try life.daemon.stop().status == 0)
        life.station.expectNothingLeft()
    }
}
