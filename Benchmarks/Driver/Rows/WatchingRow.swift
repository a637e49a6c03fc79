import Foundation

/// What a program's call costs that `taskhost learn` watches, beside the least that a watcher can do, and nobody watching.
enum WatchingRow {
    private struct Document: Decodable { var seconds: Double }

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let calls = "\(laboratory.options.runs(20_000))"
        let opens = laboratory.reference("opens", ["--calls", calls])
        let words = [opens.path] + opens.arguments
        var contestants: [() throws -> Double] = [
            { try laboratory.reference("watching", words).decode(Document.self).seconds },
            { try opens.decode(Document.self).seconds },
        ]
        if !laboratory.options.referencesOnly {
            contestants.append {
                try laboratory.withFolder { folder in
                    let report = folder + "/report"
                    guard FileManager.default.createFile(atPath: report, contents: nil) else {
                        throw BenchmarkError.failed("\(report) cannot be written")
                    }
                    let watcher = Command(
                        path: "\(laboratory.options.binaries)/taskhost-worker", arguments: ["watch", report] + words)
                    return try watcher.decode(Document.self).seconds
                }
            }
        }
        let samples = try laboratory.interleaved(contestants) + [[]]
        return [
            Comparison(ours: samples[2], reference: samples[0]).row(
                "watching", "open(2) and close(2) while learning", unit: .seconds, beside: "the same loop in C",
                atMost: 2),
            Comparison(ours: samples[2], reference: samples[1]).row(
                "watching", "the same", unit: .seconds, beside: "nobody watches"),
        ]
    }
}
