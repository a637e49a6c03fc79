import Scheduling
import TaskModel
import TestSupport
import Testing

/// The scheduler through thousands of lives at random, with clocks that jump and hosts that die.
struct SimulationTests {
    private static let hosts = Sample.count(30, of: 80)
    private static let steps = 400

    @Test
    func `No rule of requests breaks whatever happens`() throws {
        let first = SeededGenerator.chosenSeed()
        print("Scheduler simulation: TASKHOST_SEED=\(first)")
        var starts = 0
        var retries = 0
        var expirations = 0
        var quarantines = 0
        var occurrences = 0
        var (fetches, notifications) = (0, 0)
        var longestRow: UInt8 = 0
        var (pauses, pauseEnds) = (0, 0)
        var turns = 0
        var (followed, superseded) = (0, 0)
        var (beside, mostBeside) = (0, 0)
        var (edges, windowEnds) = (0, 0)
        var refusals: [SubmissionError: Int] = [:]
        for seed in first..<first + UInt64(Self.hosts) {
            let host = SimulatedHost(seed: seed)
            try host.live(steps: Self.steps)
            starts += host.count.starts
            retries += host.count.retries
            expirations += host.count.expirations
            quarantines += host.count.quarantines
            occurrences += host.count.occurrences
            fetches += host.count.fetches
            notifications += host.count.notifications
            pauses += host.count.pauses
            turns += host.count.turns
            followed += host.count.followed
            superseded += host.count.superseded
            beside += host.count.beside
            mostBeside = max(mostBeside, host.count.mostBeside)
            pauseEnds += host.count.pauseEnds
            edges += host.count.edges
            windowEnds += host.count.windowEnds
            longestRow = max(longestRow, host.count.longestRow)
            refusals.merge(host.count.refusals, uniquingKeysWith: +)
        }
        print(
            "Scheduler simulation: \(Self.hosts * Self.steps) steps, \(starts) starts, \(retries) retries, \(expirations) expirations, \(quarantines) quarantines, \(occurrences) occurrences, \(fetches) fetches, \(notifications) notifications, \(beside) beside another (\(mostBeside) at most), refusals \(refusals)"
        )
        guard !Sample.isPart else { return }
        // A simulation in which nothing happens proves nothing.
        #expect(starts > 0 && retries > 0 && expirations > 0 && quarantines > 0 && occurrences > 0)
        #expect(fetches > 0 && notifications > 0)
        #expect(followed > 0 && superseded > 0)
        #expect(mostBeside > 1, "no task had more than \(mostBeside + 1) runs at once")
        #expect(pauses > 0 && pauseEnds > 0)
        #expect(turns > 0, "no priority ever had to wait for another")
        #expect(longestRow > 2 && edges > 0 && windowEnds > 0)
        for code in SubmissionError.allCases { #expect(refusals[code, default: 0] > 0, "\(code) never happened") }
    }
}
