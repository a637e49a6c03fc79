import Foundation
import Glibc
import TestSupport
import Testing

/// Whether the tier is one where programs of the kernel's can hold control groups.
private func holdsAddresses(_ tier: String) -> Bool { Machine.isRoot && ["unified", "hybrid"].contains(tier) }

@Suite("A worker's network")
struct NetworkTests {
    static let task = "org.taskhost.fixtures.connect"
    static let isHeld = holdsAddresses(Machine.tiers.first ?? "none")

    /// The result of each attempt, by its words: an errno, or -1 for a name without addresses.
    static func attempts(
        _ station: Station, _ grants: [String], _ attempts: [String], isolation: String = "zygote"
    ) throws -> (run: RunDocument, results: [String: Int32]) {
        var manifest = try ManifestText(fixture: "fixtures.connect").with("permissions", ["network": grants])
        manifest["isolation"] = isolation
        try station.add(manifest)
        let report = try station.run(task, "--payload-text", attempts.joined(separator: "\n"))
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        return (run, results(try station.logs(run).text))
    }

    static func results(_ text: String) -> [String: Int32] {
        text.split(separator: "\n").reduce(into: [:]) { found, line in
            let words = line.split(separator: " ")
            guard words.count == 4 else { return }
            found[words[0..<3].joined(separator: " ")] = Int32(words[3])
        }
    }

    @Test(
        "reaches what is granted, and nothing else by any way",
        .enabled(if: isHeld, "only a root host holds addresses, on cgroup 2"),
        arguments: ["zygote", "exec", "run"])
    func holds(_ isolation: String) throws {
        let (granted, other) = (try Listener(), try Listener())
        let (port, wrong) = (granted.port, other.port)
        let allowed = ["tcp", "child-tcp"].flatMap { way in
            ["127.0.0.1", "::ffff:127.0.0.1"].map { "\(way) \($0) \(port)" }
        }
        let places = [
            "127.0.0.2", "::ffff:127.0.0.2", "0.0.0.0", "::", "::1", "10.0.0.1", "169.254.169.254", "fe80::1",
        ]
        let refused = ["tcp", "child-tcp"].flatMap { way in places.map { "\(way) \($0) \(port)" } }
        let forbidden =
            ["tcp 127.0.0.1 \(wrong)", "tcp ::ffff:127.0.0.1 \(wrong)", "tcp 127.0.0.1 0", "tcp 127.0.0.1 53"]
            + ["fast-open", "fast-open-message", "udp-connect", "udp-send", "udp-message"].flatMap { way in
                ["127.0.0.1", "127.0.0.2"].map { "\(way) \($0) \(port)" }
            }
        let (run, results) = try Self.attempts(
            Station(), ["127.0.0.1:\(port)"], allowed + refused + forbidden, isolation: isolation)
        for attempt in allowed { #expect(results[attempt] == 0, "\(attempt)") }
        for attempt in refused { #expect(results[attempt] == EPERM, "\(attempt)") }
        for attempt in forbidden { #expect([EPERM, EACCES].contains(results[attempt]), "\(attempt)") }
        #expect(run.degraded == [])
    }

    @Test(
        "needs a grant that names loopback, link-local and private addresses",
        .enabled(if: isHeld, "only a root host holds addresses, on cgroup 2"))
    func names() throws {
        let listener = try Listener()
        let attempts = ["127.0.0.1", "127.0.0.9", "0.0.0.0"].map { "tcp \($0) \(listener.port)" }
        let rows: [(String, [Int32])] = [
            ("*:\(listener.port)", [EPERM, EPERM, EPERM]), ("*:*", [EPERM, EPERM, EPERM]),
            ("0.0.0.0/0:\(listener.port)", [EPERM, EPERM, EPERM]), ("loopback:*", [0, 0, 0]),
            ("localhost:\(listener.port)", [0, 0, 0]), ("127.0.0.0/8:\(listener.port)", [0, 0, EPERM]),
            ("127.0.0.0/29:*", [0, EPERM, EPERM]),
        ]
        for (grant, expected) in rows {
            let (run, results) = try Self.attempts(Station(), [grant], attempts)
            #expect(attempts.map { results[$0] } == expected, "\(grant)")
            #expect(run.degraded == [])
        }
    }

    @Test("is reported as wider than the manifest says, in show, run and list, and no run is refused for it")
    func degrades() throws {
        let listener = try Listener()
        let attempts = ["tcp 127.0.0.1 \(listener.port)", "tcp 127.0.0.2 \(listener.port)"]
        let station = try Station()
        try station.configure("control", "none")
        let (run, results) = try Self.attempts(station, ["127.0.0.1:\(listener.port)"], attempts)
        #expect(attempts.map { results[$0] } == [0, 0])
        #expect(run.degraded.starts(with: ["network", "network.host"]))
        #expect(try #require(station.show(run).confinement).contains("network: ports"))
        let text = try station.start(["run", Self.task]).finish()
        #expect(text.succeeded && text.errors.contains("degraded: network.host; \(Self.task)"), "\(text)")
        let list = try station.start(["list", "--manifests", station.manifestFolder.path]).finish()
        #expect(list.errors.contains("degraded: network.host; \(Self.task)"), "\(list)")
        // Any host is any host; what else that covers here is for validate to say.
        let any = try Station()
        try any.configure("control", "none")
        let wide = try Self.attempts(any, ["*:\(listener.port)"], attempts)
        #expect(attempts.map { wide.results[$0] } == [0, 0])
        #expect(!wide.run.degraded.contains("network"))
    }

    @Test("follows the manifest: a worker of the new form has the new grants alone", .enabled(if: isHeld, "as above"))
    func reloads() throws {
        let (first, second) = (try Listener(), try Listener())
        let attempts = [first, second].map { "tcp 127.0.0.1 \($0.port)" }
        let station = try Station()
        let manifest = try ManifestText(fixture: "fixtures.connect")
        func grant(_ listener: Listener) -> ManifestText {
            manifest.with("permissions", ["network": ["127.0.0.1:\(listener.port)"]])
        }
        try station.add(grant(first))
        let daemon = try Daemon(station)
        let before = try programs(of: daemon)
        #expect(before == 0)
        var results: [[Int32?]] = []
        var held: [Int] = []
        for (round, listener) in [first, second, first, second].enumerated() {
            if round > 0 {
                try station.add(grant(listener))
                // One that is read while it is being written leaves the old form in force.
                try daemon.program.wait(forText: "read the manifests again", count: round)
                try daemon.waitUntil {
                    try daemon.tell("journal").components(separatedBy: "manifestLoaded").count > round
                }
            }
            try daemon.tell("submit", Self.task, "--payload-text", attempts.joined(separator: "\n"))
            try daemon.wait(for: "run.ended", Self.task, count: round + 1)
            let run = try #require(station.history().last)
            let found = Self.results(try station.logs(run).text)
            results.append(attempts.map { found[$0] })
            held.append(try programs(of: daemon))
        }
        // Landlock refuses another port with EACCES, before the program is asked.
        #expect(results == [[0, EACCES], [EACCES, 0], [0, EACCES], [EACCES, 0]])
        // Two for UDP, and a map and two programs for each form that a group still keeps: at most the last two.
        #expect(held[0] == 5 && held.allSatisfy { $0 <= 8 }, "\(held)")
        #expect(try daemon.stop().status == 0)
    }

    /// Programs and maps that the daemon holds descriptors of.
    private func programs(of daemon: Daemon) throws -> Int {
        let folder = "/proc/\(daemon.program.pid)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.contains("bpf") ?? false
        }
    }

    @Test(
        "is reported by validate where any host is more than the public ones", .enabled(if: Machine.isRoot, "as above"))
    func validates() throws {
        let station = try Station(user: Machine.nobody)
        try station.add(
            ManifestText(fixture: "fixtures.connect").with("permissions", ["network": ["*:80", "127.0.0.1:8080"]]))
        let program = try Places.programs.get().appending(path: "taskhost").path
        let nobody = ["--reuid", "\(Machine.nobody)", "--clear-groups"]
        let words = [program, "validate", station.manifestFolder.path]
        for (starter, isWarned) in [(["env"], !Self.isHeld), (["setpriv"] + nobody, true)] {
            let command = try Program(starter[0], starter.dropFirst() + words).finish()
            #expect(command.status == 0)
            #expect(command.output.contains("warning: $.permissions.network: found \"*\"") == isWarned, "\(command)")
        }
    }

    /// A new network with these addresses, where names are those of a file.
    private static func isolate(_ station: Station, hosts: String) throws {
        let file = try station.folder.write("hosts", Data(hosts.utf8)).path
        let script = """
            ip link set lo up && for a in 203.0.113.7 203.0.113.8 10.77.0.1 10.77.0.2; do ip address add $a/32 dev lo; done
            mount --bind "$0" /etc/hosts && exec "$@"
            """
        station.starter = ["unshare", "--mount", "--net", "sh", "-c", script, file]
    }

    @Test(
        "leads a granted name to the addresses that the host found for it",
        .enabled(if: isHeld, "only root makes networks, and holds addresses"), arguments: ["zygote", "exec"])
    func resolves(_ isolation: String) throws {
        let station = try Station()
        try Self.isolate(
            station,
            hosts: """
                127.0.0.1 localhost
                203.0.113.7 feeds.example.com
                203.0.113.8 other.example.com
                127.0.0.1 evil.example.com
                10.77.0.1 store
                10.77.0.2 rebound.example.com

                """)
        let grants = ["feeds.example.com", "evil.example.com", "store", "rebound.example.com", "absent.example.com"]
        // No process listens there: a connection that is allowed is refused by the machine itself.
        let expected: [String: Int32] = [
            "name-tcp feeds.example.com 443": ECONNREFUSED, "name-tcp FEEDS.example.com. 443": ECONNREFUSED,
            "child-name-tcp feeds.example.com 443": ECONNREFUSED, "name-udp-connect feeds.example.com 443": EACCES,
            "tcp 203.0.113.7 443": ECONNREFUSED, "tcp ::ffff:203.0.113.7 443": ECONNREFUSED,
            "tcp 203.0.113.7 80": EACCES, "tcp 203.0.113.8 443": EPERM,
            "name-tcp other.example.com 443": EPERM, "name-tcp store 443": ECONNREFUSED,
            "name-tcp evil.example.com 443": -1, "tcp 127.0.0.1 443": EPERM,
            "name-tcp rebound.example.com 443": -1, "tcp 10.77.0.2 443": EPERM,
            "name-tcp absent.example.com 443": -1,
        ]
        let (run, results) = try Self.attempts(
            station, grants.map { "\($0):443" }, expected.keys.sorted(), isolation: isolation)
        #expect(results == expected)
        #expect(run.degraded == [])
        for sentence in [
            "evil.example.com leads to 127.0.0.1, which is not public",
            "rebound.example.com leads to 10.77.0.2, which is not public",
            "absent.example.com has no address at present",
        ] {
            #expect(run.diagnostics.contains { $0.contains(sentence) }, "\(run.diagnostics)")
        }
    }

    @Test(
        "has granted names where addresses are not held, too",
        .enabled(if: Machine.isRoot, "only root makes networks"))
    func resolvesWithoutGuard() throws {
        let station = try Station()
        try station.configure("control", "none")
        try Self.isolate(station, hosts: "203.0.113.7 feeds.example.com\n10.77.0.1 rebound.example.com\n")
        let attempts = ["name-tcp feeds.example.com 443", "name-tcp rebound.example.com 443", "tcp 203.0.113.8 443"]
        let (run, results) = try Self.attempts(
            station, ["feeds.example.com:443", "rebound.example.com:443"], attempts)
        #expect(attempts.map { results[$0] } == [ECONNREFUSED, ECONNREFUSED, ECONNREFUSED])
        #expect(run.degraded.contains("network.host"))
    }
}
