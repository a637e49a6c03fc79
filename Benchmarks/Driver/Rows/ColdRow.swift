/// A fresh, confined worker for every run: from request to recorded outcome.
enum ColdRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let count = laboratory.options.runs(200)
        let noop = "\(laboratory.options.references)/noop"
        var contestants: [() throws -> Percentiles] = [
            {
                try laboratory.reference("spawnwait", [noop, "--samples", "\(count)"])
                    .decode(LatencyDocument.self).latency
            }
        ]
        if !laboratory.options.referencesOnly {
            for identifier in [Subject.cold, Subject.foundation] {
                contestants.append {
                    try laboratory.runs(of: [identifier], repeat: count, concurrency: 1).latency
                }
            }
            contestants.append { try apart(laboratory, count: max(count, leastApart)) }
        }
        let samples = try laboratory.interleaved(contestants) + [[], [], []]
        func row(_ name: String, _ title: String, _ ours: [Percentiles], atMost: Double) -> RowResult {
            var row = Comparison(ours: ours.map(\.p50), reference: samples[0].map(\.p50)).row(
                name, title, unit: .seconds, beside: "posix_spawn + wait, static C", atMost: atMost)
            row.oursP99 = ours.isEmpty ? nil : ours.map(\.p99).median
            row.referenceP99 = samples[0].map(\.p99).median
            return row
        }
        return [
            row("cold", "cold confined run of a C symbol, one after the other", samples[1], atMost: 2),
            row("coldApart", "… with pauses: its process is made ahead", samples[3], atMost: 1.5),
            row("coldFoundation", "cold confined run, Swift with Foundation", samples[2], atMost: 3),
        ]
    }

    /// `taskhost-bench-requests` takes no less.
    private static let leastApart = 100

    /// Runs that a daemon is asked for one by one: the start of a program lies between two of them.
    private static func apart(_ laboratory: Laboratory, count: Int) throws -> Percentiles {
        try laboratory.withFolder { folder in
            let state = "\(folder)/state"
            do {
                let daemon = try Daemon(laboratory, state: state, manifests: "\(laboratory.options.plugins)/cold.json")
                defer { withExtendedLifetime(daemon) {} }
                for _ in 0..<count {
                    let asked = try Command(
                        path: "\(laboratory.options.binaries)/taskhost",
                        arguments: ["run", Subject.cold, "--state", state]
                    ).run()
                    guard asked.status == 0 else { throw BenchmarkError.failed("a run did not succeed: \(asked)") }
                }
            }
            return try laboratory.requests(
                "latency", ["--requests", "\(count)", "--database", "\(state)/taskhost.db"]
            ).decode(LatencyDocument.self).latency
        }
    }
}
