/// Durable runs one after the other in a warm worker: from request to recorded outcome.
enum WarmRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let count = laboratory.options.runs(2000)
        var contestants: [() throws -> Percentiles] = [
            { try laboratory.chost(runs: count, inFlight: 1).latency }
        ]
        if !laboratory.options.referencesOnly {
            for identifier in [Subject.noop, Subject.foreign] {
                contestants.append {
                    try laboratory.runs(of: [identifier], repeat: count, concurrency: 1).latency
                }
            }
        }
        let samples = try laboratory.interleaved(contestants)
        let reference = samples[0]
        func row(_ name: String, _ title: String, _ ours: [Percentiles], atMost: Double?) -> RowResult {
            var row = Comparison(ours: ours.map(\.p50), reference: reference.map(\.p50)).row(
                name, title, unit: .seconds, beside: "the same path in C", atMost: atMost)
            row.oursP99 = ours.isEmpty ? nil : ours.map(\.p99).median
            row.referenceP99 = reference.map(\.p99).median
            row.details["ratioP99"] = Comparison(ours: ours.map(\.p99), reference: reference.map(\.p99)).ratio
            return row
        }
        var rows = [row("warm", "warm durable run", samples.count > 1 ? samples[1] : [], atMost: 1.3)]
        if samples.count > 2 {
            rows.append(row("warmForeign", "… of a foreign function", samples[2], atMost: nil))
        }
        return rows
    }
}
