/// Durable runs per second with 64 in flight.
enum ThroughputRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let count = laboratory.options.runs(20000)
        var contestants: [() throws -> SummaryDocument.Summary] = [
            { try laboratory.chost(runs: count, inFlight: 64) },
            { try laboratory.chost(runs: count, inFlight: 64, unanswered: 32) },
        ]
        if !laboratory.options.referencesOnly {
            for identifiers in [[Subject.noop, Subject.secondNoop], [Subject.noop]] {
                contestants.append {
                    try laboratory.runs(of: identifiers, repeat: count / identifiers.count, concurrency: 64)
                }
            }
        }
        let samples = try laboratory.interleaved(contestants)
        let rates = samples.map { $0.map(\.runsPerSecond) } + [[], []]
        return [
            Comparison(ours: rates[2], reference: rates[0]).row(
                "throughput", "durable runs, 64 in flight, two applications", unit: .runsPerSecond,
                beside: "C, 4 unanswered a worker", atLeast: 1.0),
            Comparison(ours: rates[2], reference: rates[1]).row(
                "throughputDeep", "… the same", unit: .runsPerSecond, beside: "C, 32 unanswered a worker"),
            Comparison(ours: rates[3], reference: rates[0]).row(
                "throughputOne", "… one application", unit: .runsPerSecond, beside: "C, 4 unanswered a worker"),
        ]
    }
}
