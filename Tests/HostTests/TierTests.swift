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
