import Control
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Conformance: background transfers")
struct ConformanceTransferTests {
    /// What the application gets at the end of a transfer.
    private func end(_ number: Int) -> [String] { ["downloaded s \(number)", "completed s \(number)"] }

    @Test("Check 37: killed, it is launched when all are there; they come in the documented order; a 404 is no error")
    func killed() throws {
        let bench = try TransferBench()
        try bench.perform(
            "open s", "replay s", "download s \(bench.web.url("throttled/a?rate=40k"))",
            "download s \(bench.web.url("nothing"))")
        try bench.kill()
        try bench.waitFor("handled s")
        let steps = try bench.steps()
        #expect(
            Array(steps.prefix(6))
                == ["launches", "launched", "handle-events s", "known s 1", "known s 2", "opened s"], "\(steps)")
        let told = Array(steps.dropFirst(6))
        // No order across tasks.
        let ends = Array(told.prefix(4))
        #expect(ends == end(1) + end(2) || ends == end(2) + end(1), "\(told)")
        #expect(Array(told.dropFirst(4)) == ["all-told s 0", "handled s 0"], "\(told)")
        #expect(
            try bench.trace().contains { $0.hasPrefix("completed s 2") && $0.contains("error 0 reason -1 status 404") })
        #expect(try bench.kept(1) == bench.files["a"])
        // What it did not keep is gone, and so is what the host had of it.
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("cache")).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("transfers")) == ["boot"])
        #expect(try bench.trace().count { $0.hasPrefix("all-told") } == 1)
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 37: a suspended one continues for them; without the completion handler it is terminated")
    func unhandled() throws {
        let bench = try TransferBench(settings: ["limits": ["event": "2s"]])
        try bench.perform(
            "unhandled", "open s", "replay s", "download s \(bench.web.url("throttled/a?rate=20k"))")
        try bench.waitUntil("suspended")
        try bench.daemon.wait(for: "application.terminated", TransferBench.application)
        let steps = try bench.steps()
        #expect(
            Array(steps.drop { !$0.hasPrefix("handle-events") })
                == ["handle-events s"] + end(1) + ["all-told s 0"], "\(steps)")
        #expect(try bench.terminations() == ["sessionEventsTimeout 0x2182bad3"])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Events are delivered again to the next process when one dies while it handles them")
    func crashes() throws {
        let bench = try TransferBench(launch: ["open s", "replay s"])
        // The kind of the event that it crashes in: its file is delivered, and the process is gone.
        try bench.perform("crash 7", "download s \(bench.web.url("throttled/a?rate=20k"))")
        try bench.waitFor("downloaded s 1")
        try bench.waitUntil("notRunning")
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.waitFor("completed s 1")
        let told = try bench.trace().filter { $0.hasPrefix("downloaded") || $0.hasPrefix("completed") }
        #expect(
            told.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == ["downloaded s 1"] + end(1))
        #expect(try bench.kept(1) == bench.files["a"])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test(
        "Check 38: the user quits it: all end with -999 and the reason 0 when the user has opened it, and none is woken"
    )
    func forceQuit() throws {
        let bench = try TransferBench(launch: ["open s", "replay s"])
        try bench.perform(
            "download s \(bench.web.url("throttled/a?rate=1k"))", "download s \(bench.web.url("throttled/b?rate=1k"))")
        try bench.daemon.tell("quit", TransferBench.application)
        try bench.waitUntil("notRunning")
        let before = try bench.trace().count
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.waitFor("completed s", count: 2)
        let after = try Array(bench.trace().dropFirst(before))
        #expect(!after.contains { $0.hasPrefix("handle-events") }, "\(after)")
        for number in 1...2 {
            #expect(
                after.contains { $0.hasPrefix("completed s \(number)") && $0.contains("error -999 reason 0") },
                "\(after)")
        }
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 38: nor does the process that the quit ends learn so, though it opens its session then")
    func forceQuitLast() throws {
        let bench = try TransferBench()
        try bench.perform("open s", "replay s", "download s \(bench.web.url("throttled/a?rate=1k"))")
        try bench.kill()
        let last = bench.folder("state/terminate")
        try Data("open s\nreplay s\nsleep 300\n".utf8).write(to: URL(filePath: last))
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.waitUntil("active")
        let before = try bench.trace().count
        try bench.daemon.tell("quit", TransferBench.application)
        try bench.waitFor("terminates")
        let after = try bench.trace().dropFirst(before)
        #expect(after.contains { $0.hasPrefix("opened s") })
        #expect(!after.contains { $0.hasPrefix("completed") }, "\(after)")
        try FileManager.default.removeItem(atPath: last)
        try bench.waitUntil("notRunning")
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.perform("open s", "replay s")
        try bench.waitFor("completed s 1")
        #expect(try bench.trace().count { $0.contains("error -999 reason 0") } == 1)
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 38: a host that starts again wakes no application that a user has quit")
    func forceQuitBeforeRestart() throws {
        let bench = try TransferBench(launch: ["open s", "replay s"])
        try bench.perform(
            "download s \(bench.web.url("throttled/a?rate=1k"))", "download s \(bench.web.url("throttled/b?rate=1k"))")
        try bench.daemon.tell("quit", TransferBench.application)
        try bench.waitUntil("notRunning")
        #expect(try bench.daemon.stop().status == 0)
        let before = try bench.trace().count
        let next = try Daemon(bench.station)
        try next.tell("foreground", TransferBench.application)
        try bench.waitFor("completed s", count: 2)
        let after = try Array(bench.trace().dropFirst(before))
        #expect(!after.contains { $0.hasPrefix("handle-events") }, "\(after)")
        #expect(after.count { $0.hasPrefix("completed s") && $0.contains("error -999 reason 0") } == 2, "\(after)")
        #expect(try next.stop().status == 0)
    }

    @Test("Check 38: an application's own cancel is -999 without a reason; what was there can continue in another task")
    func cancelled() throws {
        let bench = try TransferBench(files: ["a": 400_000])
        let url = bench.web.url("throttled/a?rate=100k")
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.perform("open s", "replay s", "download s \(url)", "create s \(url)", "cancel s 2")
        try bench.waitFor("completed s 2")
        try bench.waitFor("progress s 1")
        try bench.perform("cancel-resumable s 1")
        try bench.waitFor("completed s 1")
        let trace = try bench.trace()
        #expect(trace.contains { $0.hasPrefix("completed s 2") && $0.contains("error -999 reason -1") }, "\(trace)")
        #expect(trace.contains { $0.hasPrefix("resume-data s 1") && !$0.hasSuffix("of 0") }, "\(trace)")
        try bench.perform("continue s \(url)")
        try bench.waitFor("completed s 3")
        #expect(try bench.trace().contains { $0.hasPrefix("resumed s 3") })
        #expect(try bench.kept(3) == bench.files["a"])
        try bench.web.wait(forAnswer: "206 GET /throttled/a")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 39: redirects are followed without a word; what is started in the background is discretionary")
    func background() throws {
        let bench = try TransferBench()
        try bench.daemon.tell("device", "set", "power=battery")
        try bench.perform("open s", "replay s", "download s \(bench.web.url("moved/a"))")
        let waiting = try bench.daemon.ask(.get, "/v1/transfers").text
        #expect(waiting.contains("\"waitsFor\":\"power\""), "\(waiting)")
        try bench.daemon.tell("device", "set", "power=external")
        try bench.waitFor("completed s 1")
        #expect(try bench.trace().contains { $0.hasPrefix("completed s 1") && $0.contains("error 0") })
        try bench.web.wait(forAnswer: "302 GET /moved/a")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 40: one started after a wake waits for its delay, unless a user brings the application to the front")
    func delay() throws {
        let bench = try TransferBench()
        try bench.perform("open s", "replay s", "download s \(bench.web.url("throttled/a?rate=40k"))")
        try bench.waitFor("handled s")
        try bench.perform("download s \(bench.web.url("b"))")
        let text = try bench.daemon.ask(.get, "/v1/transfers").text
        #expect(text.contains("\"waitsFor\":\"delay\""), "\(text)")
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.waitFor("completed s 2")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Check 40: a second process that opens a session gets -996")
    func inUse() throws {
        let bench = try TransferBench(isolation: "run")
        let first = try bench.station.start(
            [
                "run", TransferBench.work, "--payload-text",
                "open s\nreplay s\ndownload s \(bench.web.url("throttled/a?rate=10k"))\nawait 1",
            ],
            manifests: false)
        try bench.waitFor("created s 1")
        try bench.perform("open s")
        let trace = try bench.trace()
        #expect(trace.contains { $0.hasPrefix("opened s status -996") }, "\(trace)")
        try bench.daemon.tell("foreground", TransferBench.application)
        #expect(try first.finish().succeeded)
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Whether a server is trusted is asked once for each host; cancel is -999, the default follows the store")
    func serverTrust() throws {
        let bench = try TransferBench()
        let url = bench.web.url("a", by: .secure)
        try bench.daemon.tell("foreground", TransferBench.application)
        // 30: also TASKHOST_SESSION_ASKS_SERVER_TRUST.
        try bench.perform("open s 30", "replay s", "download s \(url)")
        try bench.waitFor("challenge s 1 #0 method 5")
        try bench.perform("answer s 1 4")
        try bench.waitFor("completed s 1")
        try bench.perform("download s \(url)")
        try bench.waitFor("challenge s 2 #0 method 5")
        // This machine trusts no issuer of the server's certificate.
        try bench.perform("answer s 2 2", "download s \(url)")
        try bench.waitFor("completed s 2")
        try bench.waitFor("completed s 3")
        let trace = try bench.trace()
        #expect(trace.contains { $0.hasPrefix("completed s 1") && $0.contains("error -999 reason -1") }, "\(trace)")
        for number in 2...3 {
            #expect(trace.contains { $0.hasPrefix("completed s \(number)") && $0.contains("error -1202") }, "\(trace)")
        }
        #expect(trace.count { $0.hasPrefix("challenge") } == 2)
        #expect(try bench.daemon.stop().status == 0)
    }
}
