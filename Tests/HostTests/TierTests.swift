import TestSupport
import Testing

@Suite("Whatever the machine has to control process trees")
struct TierTests {
    struct Row: CustomStringConvertible {
        var tier: String
        var fixture: String
        var outcomes: Set<String>
        var description: String { "\(fixture) in tier \(tier)" }
    }

    static let fixtures: [(String, Set<String>)] = [
        ("spin", ["overran"]), ("burn-threads", ["exceededCPU"]), ("burn-child", ["exceededCPU"]),
        ("leak-memory", ["exceededMemory"]), ("leak-child", ["exceededMemory"]),
        ("fork-bomb", ["overran", "exceededMemory"]), ("daemonise", ["unreported"]), ("leave-child", ["succeeded"]),
        ("burn-after-completion", ["succeeded"]), ("stop-itself", ["overran"]), ("crash-null", ["crashed"]),
    ]

    @Test(
        "a run is held to its budget, and nothing of it stays",
        arguments: Machine.tiers.flatMap { tier in
            fixtures.map { fixture, outcomes in
                // As in `Machine.meets`: RLIMIT_DATA refuses one process the memory before it has exceeded its budget.
                let isRefused = tier == "none" && fixture == "leak-memory"
                return Row(
                    tier: tier, fixture: fixture, outcomes: isRefused ? ["overran", "exceededMemory"] : outcomes)
            }
        })
    func tier(_ row: Row) throws {
        let station = try Station()
        try station.configure("control", row.tier)
        let task = try station.add(fixture: "hostile.\(row.fixture)").tasks[0]
        let neighbour = try station.add(fixture: "fixtures.echo").tasks[0]
        let report = try station.run(task, neighbour, "--concurrency", "1")
        let run = try #require(report[task], "\(report.command)")
        #expect(row.outcomes.contains(run.outcome ?? ""), "\(run)")
        #expect(report[neighbour]?.outcome == "succeeded")
        #expect(try #require(station.show(run).confinement).hasSuffix("process tree: \(row.tier)"))
        // The number of processes is the only limit that may go unenforced.
        #expect(run.degraded == (Machine.isRoot || row.tier != "none" ? [] : ["processes"]))
        station.expectNothingLeft()
    }

    /// The host's own view has cgroup 2 where the machine mounts none.
    @Test(
        "a worker that rests in a group of cgroup 2 takes no turn of the loop",
        .enabled(if: Machine.isRoot, "it mounts"))
    func rests() throws {
        let station = try Station()
        if Machine.unifiedFolder == nil {
            try station.configure("control", "hybrid")
            let mount = "mount -t cgroup2 none \(Machine.controlGroupFolders[0]) && exec \"$@\""
            station.starter = ["unshare", "--mount", "sh", "-c", mount, "sh"]
        }
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let daemon = try Daemon(station)
        #expect(try station.start(["run", noop], manifests: false).finish().succeeded)
        let reads = 20
        let turns = try (0...reads).map { _ in
            let answer = try Command.run(
                "curl", ["-sS", "--fail", "--unix-socket", station.state + "/control.sock", "http://localhost/metrics"])
            let metrics = try Exposition(answer.output, isOpenMetrics: false)
            return try #require(metrics.value("taskhost_loop_turn_duration_seconds_count", [:]), "\(answer)")
        }
        let run = try #require(try station.history().first)
        #expect(try station.show(run).confinement?.hasSuffix("process tree: legacy") == false)
        // An answer takes a few: what is always ready takes thousands.
        #expect(turns[reads] - turns[0] < Double(reads * 10), "\(turns)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("can be asked for by name, and is refused where it cannot be had")
    func asked() throws {
        #expect(Machine.tiers.last == "none")
        for tier in ["unified", "hybrid", "legacy"] where !Machine.tiers.contains(tier) {
            let station = try Station()
            try station.configure("control", tier)
            let command = try station.run(station.add(fixture: "fixtures.noop").tasks[0]).command
            #expect(command.status == 64)
            #expect(command.errors.contains(tier), "\(command.errors)")
        }
    }
}
