import Control
import JSON
import TaskModel

/// What a run in progress has left of its budgets, in the words that the page has too: `4.2 s of 6 s`.
struct BudgetLeft {
    /// `-` while nobody knows: it has not started, or it stands still.
    let time: String
    /// `-` as long as the host has not told what the run uses.
    let cpuTime: String
    let memory: String

    /// - Parameters:
    ///   - run: the document of a run in progress.
    ///   - usage: the last `run.usage` of it.
    init(_ run: JSONValue, usage: JSONValue?, at now: Timestamp) {
        let budget = run["budget"]
        let end = usage?.time("endsAt") ?? run.time("endsAt")
        if let limit = budget?.span("wallClock") {
            time = end.map { Self.text(min(max(.zero, $0 - now), limit), of: limit) } ?? "-"
        } else {
            time = run["startedAt"]?.string == nil ? "-" : Self.unlimited
        }
        if let limit = budget?.span("cpuTime") {
            cpuTime = usage?.span("cpuTime").map { Self.text(max(.zero, limit - $0), of: limit) } ?? "-"
        } else {
            cpuTime = usage == nil ? "-" : Self.unlimited
        }
        if let limit = budget?["memory"]?.integer.map({ UInt64(max(0, $0)) }), let usage {
            let used = UInt64(max(0, usage["memory"]?.integer ?? 0))
            memory = "\(ByteCount(bytes: limit - min(used, limit))) of \(ByteCount(bytes: limit))"
        } else {
            memory = usage == nil ? "-" : Self.unlimited
        }
    }

    private static let unlimited = "no limit"

    /// Tenths of a second are as much as an eye follows.
    private static func text(_ rest: TimeSpan, of limit: TimeSpan) -> String {
        let tenth: Int64 = 100_000_000
        return "\(TimeSpan(nanoseconds: rest.nanoseconds / tenth * tenth)) of \(limit)"
    }
}
