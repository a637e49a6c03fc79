/// From the end of the budget to the worker's death being established, beside SIGKILL and wait.
enum KillRow {
    /// Of the manifest.
    static let budget = 0.15

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let count = laboratory.options.runs(10)
        var contestants: [() throws -> Percentiles] = [
            {
                try laboratory.reference("killlatency", ["--samples", "100"]).decode(LatencyDocument.self).latency
            }
        ]
        if !laboratory.options.referencesOnly {
            contestants.append { try overruns(laboratory, count) }
        }
        let samples = try laboratory.interleaved(contestants) + [[]]
        var row = Comparison(ours: samples[1].map(\.p50), reference: samples[0].map(\.p50)).row(
            "kill", "kill at the end of the budget", unit: .seconds, beside: "SIGKILL + wait")
        row.oursP99 = samples[1].isEmpty ? nil : samples[1].map(\.max).max()
        row.referenceP99 = samples[0].map(\.p99).median
        return [row]
    }

    private static func overruns(_ laboratory: Laboratory, _ count: Int) throws -> Percentiles {
        var late: [Double] = []
        for _ in 0..<count {
            let lateness = try overrun(laboratory)
            late.append(lateness)
        }
        return Percentiles(p50: late.median, p99: late.percentile(0.99), max: late.max() ?? 0)
    }

    private static func overrun(_ laboratory: Laboratory) throws -> Double {
        try laboratory.withFolder { state in
            let document = try laboratory.taskhost([Subject.overrun], state: state, [])
                .decode(RunsDocument.self, allowing: 11)
            guard let run = document.runs.first, run.outcome == "overran", let wallTime = run.wallTime else {
                throw BenchmarkError.failed("the run was to overrun its budget, but: \(document.runs)")
            }
            return wallTime - budget
        }
    }
}
