import Foundation

/// Pending requests by the million: time per event, memory, start, and durable submissions.
enum RequestRow {
    private static let few = 1_000
    private static let many = 1_000_000

    /// What `taskhost-bench-requests events` and `turns` print: seconds per event.
    private struct Events: Decodable {
        var submit: Double
        var condition: Double
        var run: Double
        var due: Double

        static var titles: [(name: String, title: String, figure: KeyPath<Events, Double>)] {
            [
                ("Submit", "submission or cancellation", \.submit),
                ("Condition", "change of a condition", \.condition),
                ("Run", "end and start of a run, or submission", \.run),
                ("Due", "date that comes, or submission", \.due),
            ]
        }
    }

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return try submissions(laboratory) }
        return try events(laboratory, "turns", cycles: 1000, "durable", atMost: 2)
            + events(laboratory, "events", cycles: 10_000, "scheduler alone", atMost: nil)
            + [allocations(laboratory), memory(laboratory), start(laboratory)] + submissions(laboratory)
    }

    /// Ours with a million beside ours with a thousand.
    private static func events(
        _ laboratory: Laboratory, _ measurement: String, cycles: Int, _ what: String, atMost: Double?
    ) throws -> [RowResult] {
        let count = "\(laboratory.options.runs(cycles))"
        let contestants = [many, few].map { requests in
            {
                try laboratory.withFolder { folder in
                    try laboratory.requests(
                        measurement,
                        ["--requests", "\(requests)", "--cycles", count]
                            + (measurement == "turns" ? ["--database", "\(folder)/taskhost.db"] : [])
                    ).decode(Events.self)
                }
            }
        }
        let samples = try laboratory.interleaved(contestants)
        return Events.titles.map { name, title, figure in
            Comparison(ours: samples[0].map { $0[keyPath: figure] }, reference: samples[1].map { $0[keyPath: figure] })
                .row(
                    "\(measurement)\(name)", "\(title), 1,000,000 pending, \(what)", unit: .seconds,
                    beside: "1,000 pending", atMost: atMost)
        }
    }

    /// The difference between many events and few, so that start and growth drop out.
    private static func allocations(_ laboratory: Laboratory) throws -> RowResult {
        let counts = try [1000, 3000].map { cycles in
            try laboratory.withFolder { folder in
                try laboratory.allocations(
                    of: laboratory.requests(
                        "turns",
                        ["--requests", "\(few)", "--cycles", "\(cycles)", "--database", "\(folder)/taskhost.db"]),
                    in: folder)
            }
        }
        // Four kinds of cycles with two events each; a twentieth more to warm up.
        let events = 2000.0 * 4 * 2 * 21 / 20
        let ours = (counts[1].others - counts[0].others) / events
        return RowResult(
            name: "allocationsPerEvent", title: "allocations per event of scheduler and store", unit: .count,
            ours: ours,
            referenceTitle: "", aim: "0", verdict: ours <= 0.01 ? .met : .missed, isCount: true,
            details: ["sqlite": (counts[1].sqlite - counts[0].sqlite) / events])
    }

    private static func memory(_ laboratory: Laboratory) throws -> RowResult {
        struct Document: Decodable { var bytesPerRequest: Double }
        let bytes = try laboratory.requests("memory", ["--requests", "\(many)"]).decode(Document.self).bytesPerRequest
        return RowResult(
            name: "bytesPerRequest", title: "memory of a pending request, of 1,000,000", unit: .bytes, ours: bytes,
            referenceTitle: "", aim: "≤ 300 bytes", verdict: bytes <= 300 ? .met : .missed, isCount: true)
    }

    private static func start(_ laboratory: Laboratory) throws -> RowResult {
        struct Document: Decodable { var seconds: Double }
        let times = try (0..<laboratory.options.rounds).map { _ in
            try laboratory.withFolder { folder in
                try laboratory.requests(
                    "start-up", ["--requests", "\(many)", "--database", "\(folder)/taskhost.db"]
                ).decode(Document.self).seconds
            }
        }
        return RowResult(
            name: "startUp", title: "start with 1,000,000 pending requests", unit: .seconds, ours: times.median,
            referenceTitle: "", aim: "≤ 5 s", verdict: times.median <= 5 ? .met : .missed)
    }

    /// Beside the same rows written by a C program.
    private static func submissions(_ laboratory: Laboratory) throws -> [RowResult] {
        struct Document: Decodable { var perSecond: Double }
        return try [(64, 64_000), (1, 2_000)].map { batch, count in
            let words = ["--requests", "\(laboratory.options.runs(count))", "--batch", "\(batch)", "--database"]
            var contestants: [() throws -> Double] = [
                {
                    try laboratory.withFolder { folder in
                        try laboratory.reference("requests", words + ["\(folder)/requests.sqlite"])
                            .decode(Document.self).perSecond
                    }
                }
            ]
            if !laboratory.options.referencesOnly {
                contestants.append {
                    try laboratory.withFolder { folder in
                        try laboratory.requests("submits", words + ["\(folder)/taskhost.db"])
                            .decode(Document.self).perSecond
                    }
                }
            }
            let rates = try laboratory.interleaved(contestants) + [[]]
            return Comparison(ours: rates[1], reference: rates[0]).row(
                "submits\(batch)", "durable submissions, \(batch) in a commit", unit: .perSecond,
                beside: "the same rows, C and SQLite", atLeast: 0.8)
        }
    }
}
