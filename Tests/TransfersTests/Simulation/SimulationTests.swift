import TestSupport
import Testing
import Transfers

/// The queue through thousands of lives at random, with clocks that jump and hosts that die.
struct SimulationTests {
    private static let hosts = Sample.count(50, of: 150)
    private static let steps = 400

    @Test
    func `No rule of transfers breaks whatever happens`() throws {
        let first = SeededGenerator.chosenSeed()
        print("Transfer simulation: TASKHOST_SEED=\(first)")
        var all = SimulatedHost.Count()
        for seed in first..<first + UInt64(Self.hosts) {
            let host = SimulatedHost(seed: seed)
            try host.live(steps: Self.steps)
            all.begins += host.count.begins
            all.ends += host.count.ends
            all.told += host.count.told
            all.wakes += host.count.wakes
            all.stops += host.count.stops
            all.restarts += host.count.restarts
            all.timeouts += host.count.timeouts
            all.questions += host.count.questions
            all.weighings += host.count.weighings
            all.strays += host.count.strays
            all.waits.formUnion(host.count.waits)
            #expect(host.count.told == host.nextRow)
        }
        print("Transfer simulation: \(Self.hosts * Self.steps) steps, \(all)")
        guard !Sample.isPart else { return }
        // A simulation in which nothing happens proves nothing.
        #expect(all.begins > 0 && all.wakes > 0 && all.stops > 0 && all.restarts > 0)
        #expect(all.timeouts > 0 && all.questions > 0 && all.weighings > 0 && all.strays > 0)
        #expect(all.waits == Set(TransferWait.allCases).subtracting([.notServed]))
    }
}
