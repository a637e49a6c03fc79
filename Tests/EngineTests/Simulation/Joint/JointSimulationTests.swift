import Engine
import Scheduling
import TaskModel
import TestSupport
import Testing

/// Scheduler, engine and transfers together, through years of requests, faults, restarts and wrong clocks.
struct JointSimulationTests {
    private static let machines = Sample.count(12, of: 40)
    private static let lives = 10
    private static let daysOfLife = 4

    @Test
    func `No promise breaks in hundreds of simulated days`() throws {
        let first = SeededGenerator.chosenSeed()
        print("Joint simulation: TASKHOST_SEED=\(first)")
        var count = JointHost.Count()
        var fleet = JointFleet.Count()
        for seed in first..<first + UInt64(Self.machines) {
            do {
                let host = try Self.simulate(seed)
                count += host.count
                fleet += host.fleet.count
            } catch {
                // The same again, with the last turns in the error.
                _ = try Self.simulate(seed, isTracing: true)
                throw error
            }
        }
        let outcomes = count.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
        print(
            "Joint simulation: \(Self.machines * Self.lives * Self.daysOfLife) days, \(count.turns) turns,",
            "\(count.submissions) submissions and \(count.refusals) refused, \(count.scheduled) by schedules,",
            "\(count.starts) starts (\(count.forced) forced, \(count.beside) beside others, \(count.mostBeside) at most), \(count.retries) further tries,",
            "\(count.pauses) pauses (\(count.pauseEnds) came to their ends, \(count.pausesKept) outlived a host),",
            "\(count.preferred) starts before a lower priority and \(count.overdue) of one that was passed too often,",
            "\(count.returns) returns for lack of something (\(count.starved) lasting), \(count.deferrals) deferrals (\(count.longestRow) in a row), \(count.expirations) conditions lost, \(count.deaths) deaths, \(count.recovered) runs recovered,",
            "\(count.late) turns durable late, \(count.unheard) ends of hosts before they learned about a turn,",
            "\(count.stalled) stores that stalled and \(count.broken) that broke,",
            "\(count.transfers), \(fleet),",
            outcomes.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        guard !Sample.isPart else { return }
        // A simulation that meets nothing proves nothing.
        for number in [
            count.submissions, count.refusals, count.scheduled, count.forced, count.beside, count.retries,
            count.expirations,
            count.deaths, count.recovered, count.returns, count.starved, count.late,
            count.unheard, count.stalled, count.broken, count.deferrals, count.transfers.begun,
            count.transfers.withdrawn,
            count.transfers.told, count.transfers.again, count.transfers.wakes, count.transfers.late,
            count.transfers.quits, count.transfers.questions, count.transfers.losses, count.pauses, count.pauseEnds,
            count.pausesKept, count.preferred, count.overdue,
        ] + fleet.all { #expect(number > 0) }
        #expect(count.longestRow > 10)
        #expect(count.mostBeside > 2, "no task had more than \(count.mostBeside + 1) runs at once")
    }

    private static func simulate(_ seed: UInt64, isTracing: Bool = false) throws -> JointHost {
        let host = try JointHost(seed: seed, isTracing: isTracing)
        for _ in 0..<lives { try host.live(for: .minutes(Int64(daysOfLife) * 24 * 60)) }
        try host.settleEverything()
        return host
    }
}
