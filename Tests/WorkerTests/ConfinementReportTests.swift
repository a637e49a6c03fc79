import CLinux
import Glibc
import TestSupport
import Testing

@Suite("What the confinement says of itself")
struct ConfinementReportTests {
    @Test("names the user, the Landlock version and what is degraded")
    func reports() throws {
        for situation in ConfinementSituation.possible {
            let report = try #require(ConfinementProbe.run(situation.options + ["fork"]).report)
            #expect(report["ownUser"] == String(situation.isRoot))
            #expect(report["seccomp"] == "true")
            #expect(report["degraded"] == (situation.hasNetwork ? "network,network.host,processes" : "processes"))
        }
        let user = ConfinementSituation.user.options
        let old = ConfinementProbe.run(user + ["--abi", "3", "--network", "--processes", "64", "fork"])
        #expect(old.report?["abi"] == "3")
        #expect(old.report?["degraded"] == "network,network.host,network.port")
    }

    @Test("does not believe that its control group holds it to addresses, but tries")
    func triesAddresses() {
        for situation in ConfinementSituation.possible where situation.hasNetwork {
            // The group of this test has no program attached.
            let report = ConfinementProbe.run(situation.options + ["--held", "fork"]).report
            #expect(report?["degraded"] == "processes,network,network.host", "\(situation)")
        }
    }

    @Test("reports when a grant of every port cannot be held to its hosts")
    func everyPort() {
        let user = ConfinementSituation.user.options
        let probe = ConfinementProbe.run(user + ["--network", "--every-port", "--processes", "64", "connectOther"])
        #expect(probe.verdict == .allowed)
        #expect(probe.report?["degraded"] == "network,network.host,network.port")
    }

    @Test("names granted paths that are absent, in the worker's log")
    func mentionsAbsentPaths() {
        let probe = ConfinementProbe.run(ConfinementSituation.user.options + ["fork"])
        #expect(probe.log.count == 1)
        #expect(probe.log.first?.hasSuffix("/absent: No such file or directory") == true)
    }

    @Test("is an error without Landlock, unless the manifest goes without")
    func needsLandlock() {
        let user = ConfinementSituation.user.options + ["--abi", "0"]
        let refused = ConfinementProbe.run(user + ["fork"])
        guard case .failed(let sentence) = refused.verdict else {
            Issue.record("\(refused.verdict)")
            return
        }
        #expect(sentence.contains("offers no Landlock"))
        let allowed = ConfinementProbe.run(user + ["--best-effort", "fork"])
        #expect(allowed.verdict == .allowed)
        #expect(allowed.report?["degraded"] == "landlock,processes")
        // What the filter does holds without it.
        for action in [["kill"], ["setsid"], ["run", "/bin/true"], ["chmod", "@outside/target"]] {
            #expect(ConfinementProbe.run(user + ["--best-effort"] + action).verdict == .refused(EPERM))
        }
    }

    @Test(
        "is the same for a process that prepares itself",
        arguments: ["work @state", "read @granted/file", "descriptors"])
    func preparesFresh(_ action: String) {
        let words = action.split(separator: " ").map(String.init)
        for situation in ConfinementSituation.possible {
            #expect(ConfinementProbe.run(situation.options + ["--fresh"] + words).verdict == .allowed)
        }
        let attack = ConfinementProbe.run(ConfinementSituation.user.options + ["--fresh", "read", "@outside/secret"])
        #expect(attack.verdict == .refused(EACCES))
    }

    @Test(
        "is the same for a fresh executable, started by a process that gave up its rights",
        arguments: ["work @state", "sqlite @state", "threads", "closure", "descriptors", "task"])
    func confinesAfterExec(_ action: String) {
        let words = action.split(separator: " ").map(String.init)
        for situation in ConfinementSituation.possible {
            let probe = ConfinementProbe.run(situation.options + ["--exec"] + words)
            #expect(probe.verdict == .allowed, "\(situation)")
            #expect(probe.report?["ownUser"] == String(situation.isRoot))
        }
    }

    @Test(
        "holds in a fresh executable", arguments: ["read @outside/secret", "setuid", "kill", "run /bin/true", "capset"])
    func refusesAfterExec(_ action: String) {
        let words = action.split(separator: " ").map(String.init)
        for situation in ConfinementSituation.possible {
            guard case .refused = ConfinementProbe.run(situation.options + ["--exec"] + words).verdict else {
                Issue.record("\(action) as \(situation)")
                continue
            }
        }
    }

    @Test("finds its descriptors wherever they were before", arguments: [345, 354, 435, 453, 534, 543])
    func arrangesDescriptors(_ layout: Int) {
        let options = ConfinementSituation.user.options + ["--layout", String(layout)]
        #expect(ConfinementProbe.run(options + ["descriptors"]).verdict == .allowed)
        #expect(ConfinementProbe.run(options + ["wire"]).verdict == .allowed)
        #expect(ConfinementProbe.run(options + ["--fresh", "descriptors"]).verdict == .allowed)
    }

    @Test("ends quietly when the parent has gone before")
    func endsAsOrphan() {
        // Were the action run, it would end by a signal.
        let probe = ConfinementProbe.run(ConfinementSituation.user.options + ["--orphan", "abort"])
        #expect(probe.verdict == .allowed)
        #expect(probe.report == nil)
    }

    @Test("dies with its parent", arguments: ConfinementSituation.possible.filter { !$0.hasNetwork })
    func diesWithParent(_ situation: ConfinementSituation) throws {
        var probe = try #require(ConfinementProbe.Process(situation.options + ["wait"]))
        let line = probe.nextLine()
        let report = ConfinementProbe.parts(of: try #require(line))
        let worker = try #require(report["pid"].flatMap { pid_t($0) })
        let scratch = try #require(report["scratch"])
        #expect(kill(worker, 0) == 0 || errno == EPERM)
        kill(probe.pid, SIGKILL)
        // The worker no longer holds the probe's standard output; the victim of attacks does, and dies as well.
        while probe.nextLine() != nil {}
        #expect(probe.wait() == 128 + SIGKILL)
        // It is gone, or waits for its new parent to reap it.
        #expect(waitForEnd(of: worker))
        let cleaner = try #require(ConfinementProbe.Process(path: "/bin/rm", ["-rf", scratch]))
        #expect(cleaner.wait() == 0)
    }

    /// Waits until a process that is no child of ours has ended.
    private func waitForEnd(of process: pid_t) -> Bool {
        let descriptor = clinux_pidfd_open(process)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var patience = Patience()
        return patience.poll(&end)
    }
}
