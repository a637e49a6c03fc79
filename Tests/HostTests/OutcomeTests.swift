import Foundation
import TestSupport
import Testing

@Suite("taskhost run --json")
struct OutcomeTests {
    /// A task that ends in an outcome, and what else the record must say of it.
    struct Row: CustomStringConvertible {
        var outcome: String
        var fixture: String
        var present: Set<String> = []
        /// Who killed it at its limit, the kernel or the host, is the machine's affair.
        var possible: Set<String> = []

        var description: String { "\(outcome): \(fixture)" }
    }

    static let rows = [
        Row(outcome: "succeeded", fixture: "fixtures.noop"),
        Row(outcome: "failed", fixture: "hostile.expire-without-handler", present: ["reason", "expiredAt"]),
        Row(outcome: "expired", fixture: "hostile.expire-and-complete", present: ["reason", "expiredAt"]),
        Row(outcome: "overran", fixture: "hostile.sleep", present: ["reason", "expiredAt"]),
        Row(outcome: "exceededCPU", fixture: "hostile.burn-threads"),
        Row(outcome: "exceededMemory", fixture: "hostile.leak-child", possible: ["signal"]),
        Row(outcome: "crashed", fixture: "hostile.crash-null", present: ["signal"]),
        Row(outcome: "exited", fixture: "hostile.exit-seven", present: ["exitStatus"]),
        Row(outcome: "unreported", fixture: "hostile.never-complete"),
        Row(outcome: "refused", fixture: "hostile.launch-fails"),
        Row(outcome: "deferred", fixture: "hostile.defer-badly"),
        Row(outcome: "deferred", fixture: "hostile.defer-when-warned", present: ["reason", "expiredAt"]),
    ]

    @Test("tells every outcome apart, with every key and the right exit status", arguments: rows)
    func outcome(_ row: Row) throws {
        let station = try Station()
        let task = try station.add(fixture: row.fixture).tasks[0]
        let report = try station.run(task)
        #expect(report.command.status == RunDocument.exitStatuses[row.outcome], "\(report.command)")
        let document = try JSONSerialization.jsonObject(with: Data(report.command.output.utf8)) as? [String: Any]
        #expect(document?.keys.sorted() == ["runs"])
        let runs = try #require(document?["runs"] as? [[String: Any]])
        let run = try #require(runs.first)
        #expect(runs.count == 1)
        #expect(Set(run.keys) == RunDocument.keys)
        #expect(run["outcome"] as? String == row.outcome)
        // A run that was never started has neither beginning nor figures; the others have both, and what is theirs alone.
        var present: Set = ["run", "identifier", "application", "attempt", "outcome", "submittedAt", "endedAt"]
        present.formUnion(["degraded", "diagnostics"])
        if row.outcome != "refused" { present.formUnion(["startedAt", "wallTime", "cpuTime", "peakMemory"]) }
        let optional: Set = ["reason", "expiredAt", "signal", "exitStatus", "result"]
        for key in RunDocument.keys {
            let isThere = !(run[key] is NSNull)
            if present.union(row.present).contains(key) { #expect(isThere, "\(key)") }
            if optional.subtracting(row.present.union(row.possible)).contains(key) { #expect(!isThere, "\(key)") }
        }
        if row.outcome == "refused" { #expect(try #require(report.runs.first).diagnostics.count == 1) }
    }

    @Test("ends with the largest exit status of several runs")
    func largestStatus() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        try station.add(fixture: "hostile.crash-null")
        try station.add(fixture: "hostile.expire-and-complete")
        let report = try station.run("--all")
        #expect(Set(report.runs.map(\.outcome)) == ["succeeded", "crashed", "expired"])
        #expect(report.command.status == 14)
    }

    @Test("ends with 75 when one was deferred and nothing failed", arguments: [(false, Int32(75)), (true, 1)])
    func deferredStatus(_ fails: Bool, _ status: Int32) throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        try station.add(fixture: "hostile.defer-badly")
        if fails { try station.add(fixture: "hostile.expire-without-handler") }
        #expect(try station.run("--all").command.status == status)
    }

    @Test("sums repeated runs up")
    func summary() throws {
        struct Document: Decodable {
            struct Summary: Decodable {
                var runs: Int
                var wallTime: Double
                var runsPerSecond: Double
                var latency: [String: Double]
                var outcomes: [String: Int]
            }
            var summary: Summary
        }
        let station = try Station()
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        let command = try station.run(task, "--repeat", "200", "--concurrency", "16").command
        let summary = try JSONDecoder().decode(Document.self, from: Data(command.output.utf8)).summary
        #expect(command.succeeded)
        #expect(summary.runs == 200)
        #expect(summary.outcomes == ["succeeded": 200])
        #expect(summary.wallTime > 0 && summary.runsPerSecond > 0)
        let latency = try ["p50", "p99", "max"].map { try #require(summary.latency[$0]) }
        #expect(latency == latency.sorted() && latency[0] > 0)
        let runs = try station.history()
        #expect(runs.count == 200 && Set(runs.map(\.run)).count == 200)
        #expect(runs.allSatisfy { $0.outcome == "succeeded" && $0.endedAt != nil })
    }
}
