import Foundation
import TaskModel
import TestSupport
import Testing

/// The largest of many runs: of all, not of those that one page has.
@Suite("taskhost history --sort", .plainBuild)
struct HistoryFigureTests {
    private static let start = Timestamp(nanoseconds: 1_772_366_400_000_000_000)
    private static let count = 2500

    /// The slowest run is the oldest one; the others repeat.
    private func folder() throws -> Folder {
        try MadeRuns.folder((0..<Self.count).map { Self.start + .seconds(Int64($0) * 60) }) { number in
            let wall: TimeSpan = number == 0 ? .seconds(3) : .milliseconds(Int64(number * 7919 % 1000))
            return (
                number % 5 == 1 ? .failed : .succeeded,
                RunFigures(wallTime: wall, peakMemory: number % 2 == 0 ? nil : .mebibytes(UInt64(number)))
            )
        }
    }

    private func runs(_ folder: Folder, _ words: String...) throws -> [[String: Any]] {
        let document = try Tool.run(["history", "--state", "state", "--json"] + words, in: folder).document
        return try #require(document["runs"] as? [[String: Any]])
    }

    @Test func `The slowest run of a record is found behind thousands`() throws {
        let folder = try folder()
        let slowest = try runs(folder, "--sort", "wallTime", "--limit", "1")
        #expect(slowest.count == 1 && slowest.first?["wallTime"] as? Double == 3)
        let newest = try runs(folder, "--limit", "1")
        #expect(newest.first?["wallTime"] as? Double != 3)
    }

    @Test func `Page after page gives every run once, the largest first`() throws {
        let folder = try folder()
        let all = try runs(folder, "--sort", "wallTime", "--limit", "10000")
        let times = all.compactMap { $0["wallTime"] as? Double }
        #expect(times.count == Self.count && times == times.sorted(by: >))
        #expect(Set(all.compactMap { $0["run"] as? String }).count == Self.count)
        let memory = try runs(folder, "--sort", "peakMemory", "--limit", "3", "--outcome", "failed")
        #expect(memory.compactMap { $0["peakMemory"] as? Int } == [2491, 2481, 2471].map { $0 << 20 })
        let last = try #require(memory.last?["run"] as? String)
        let next = try runs(
            folder, "--sort", "peakMemory", "--limit", "2", "--outcome", "failed", "--before", last)
        #expect(next.compactMap { $0["peakMemory"] as? Int } == [2461, 2451].map { $0 << 20 })
    }
}
