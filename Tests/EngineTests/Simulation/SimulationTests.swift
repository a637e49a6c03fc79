import Engine
import TaskModel
import TestSupport
import Testing

/// The engine through thousands of hours of faults.
struct SimulationTests {
    private static let machines = Sample.count(28, of: 84)
    private static let lives = 3
    private static let daysOfLife = 4

    @Test
    func `No rule breaks in hundreds of simulated days`() throws {
        let first = SeededGenerator.chosenSeed()
        print("Simulation: TASKHOST_SEED=\(first)")
        var count = SimulatedHost.Count()
        for seed in first..<first + UInt64(Self.machines) {
            do {
                count += try Self.simulate(seed)
            } catch {
                // The same again, with the last turns in the error.
                _ = try Self.simulate(seed, isTracing: true)
                throw error
            }
        }
        let outcomes = count.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
        print(
            "Simulation: \(Self.machines * Self.lives * Self.daysOfLife) days, \(count.turns) turns, \(count.runs) runs, \(count.workers) workers,",
            outcomes.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        guard !Sample.isPart else { return }
        // A simulation that meets no fault proves nothing.
        for outcome in Outcome.allCases {
            #expect(count.outcomes[outcome, default: 0] > 0, "\(outcome) never happened")
        }
        for reason in [Reason.budget, .userCancelled, .simulated, .hostStopping, .powerLost, .noProgress, .diskLow] {
            #expect(count.warnings[reason, default: 0] > 0, "nothing was warned because of \(reason)")
        }
        for number in [
            count.assertionsWarned, count.assertionsKilled, count.launchesToFront, count.spares, count.adoptions,
            count.chargedStarts, count.losses,
            count.examinations, count.freezes, count.pauses, count.sessions,
        ] { #expect(number > 0) }
        let terminations: [TerminationReason] = [
            .appWatchdog, .backgroundTaskAssertionTimeout, .backgroundTaskTimeout, .suspendedWithLockedFile,
            .cpuResourceLimit, .memoryResourceLimit, .memoryPressure, .suspendedLimit, .forceQuit,
            .sessionEventsTimeout,
        ]
        for reason in terminations {
            #expect(count.terminations[reason, default: 0] > 0, "nothing was terminated because of \(reason)")
        }
        #expect(count.interruptedByDeath > 0, "the host never died while work ran")
    }

    private static func simulate(_ seed: UInt64, isTracing: Bool = false) throws -> SimulatedHost.Count {
        let host = SimulatedHost(seed: seed, isTracing: isTracing)
        for _ in 0..<lives { try host.live(for: .minutes(Int64(daysOfLife) * 24 * 60)) }
        return host.count
    }
}
