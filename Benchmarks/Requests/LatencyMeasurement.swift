import Record
import Store
import TaskModel

/// From the admission of each run in a host's record to its end.
enum LatencyMeasurement {
    /// The first runs of a host pay for what is made once.
    private static let skipped: Int64 = 4

    static func document(_ options: Options) throws -> String {
        let history = try History(path: options.database)
        let runs = try history.runs(at: skipped + 1...Int64(options.requests)).elements
        let spans = runs.compactMap { run in run.endedAt.map { ($0 - run.submittedAt).seconds } }.sorted()
        guard let most = spans.last else { throw Surprise.wrongCount }
        let places = [0.5, 0.99].map { spans[min(spans.count - 1, Int(Double(spans.count) * $0))] }
        return "{\"latency\": {\"p50\": \(places[0]), \"p99\": \(places[1]), \"max\": \(most)}}"
    }
}
