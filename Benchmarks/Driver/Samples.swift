import Foundation

/// Percentiles in seconds, as every program prints them.
struct Percentiles: Codable {
    var p50: Double
    var p99: Double
    var max: Double
}

/// What `taskhost run --repeat --json` and the C host print.
struct SummaryDocument: Decodable {
    struct Summary: Decodable {
        var runs: Int
        var wallTime: Double
        var runsPerSecond: Double
        var latency: Percentiles
        var outcomes: [String: Int]
    }
    var summary: Summary
}

/// What the smaller references print.
struct LatencyDocument: Decodable {
    var latency: Percentiles
}

/// What `taskhost run --json` prints, as far as it is needed here.
struct RunsDocument: Decodable {
    struct Run: Decodable {
        var outcome: String?
        var wallTime: Double?
    }
    var runs: [Run]
}

extension [Double] {
    /// 0 when empty.
    var median: Double { percentile(0.5) }

    /// The sample at `fraction` of the sorted samples; 0 when empty.
    func percentile(_ fraction: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int(Double(count) * fraction))]
    }
}
