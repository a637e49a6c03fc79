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
        }
        let samples = try laboratory.interleaved(contestants) + [[], []]
        func row(_ name: String, _ title: String, _ ours: [Percentiles], atMost: Double) -> RowResult {
            var row = Comparison(ours: ours.map(\.p50), reference: samples[0].map(\.p50)).row(
                name, title, unit: .seconds, beside: "posix_spawn + wait, static C", atMost: atMost)
            row.oursP99 = ours.isEmpty ? nil : ours.map(\.p99).median
            row.referenceP99 = samples[0].map(\.p99).median
            return row
        }
        return [
            row("cold", "cold confined run of a C symbol", samples[1], atMost: 2),
            row("coldFoundation", "cold confined run, Swift with Foundation", samples[2], atMost: 3),
        ]
    }
}
