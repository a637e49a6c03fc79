import Glibc
import TestSupport
import Testing

/// The engines of a thousand hosts share one real database, in one process, while much goes wrong.
@Suite("A thousand engines")
struct ThousandEnginesTests {
    /// `TASKHOST_ENGINES` in the environment sets how many hosts there are.
    private static let hosts = getenv("TASKHOST_ENGINES").flatMap { Int(String(cString: $0)) } ?? 1000
    private static let requests = hosts * (Sample.isWhole ? 25 : 5) / 2

    @Test("share a database, and no rule of the fleet breaks")
    func history() throws {
        let seed = SeededGenerator.chosenSeed()
        print("A thousand engines: TASKHOST_SEED=\(seed) TASKHOST_ENGINES=\(Self.hosts)")
        let crowd = try Crowd(seed: seed, hosts: Self.hosts)
        try crowd.play(requests: Self.requests, poisons: max(1, Self.hosts / 250))
        print("A thousand engines: \(crowd.count.sentence)")
        let faults = CrowdRules.check(crowd.history)
        #expect(faults.isEmpty, "TASKHOST_SEED=\(seed): \(faults.joined(separator: "\n"))")
        #expect(crowd.hosts.allSatisfy { $0.claims > 0 }, "a host never had a claim")
        guard Self.hosts >= 1000 else { return }
        // A simulation in which nothing goes wrong proves nothing.
        let count = crowd.count
        #expect(count.claims >= 2500 && count.ended >= 2000 && count.returned >= 100 && count.renewals >= 100)
        #expect(count.leasesLost >= 20 && count.takenOver >= 20 && count.superseded >= 5 && count.released > 0)
        #expect(count.deaths >= 20 && count.stops > 5 && count.cuts >= 50 && count.unheard >= 50 && count.unsent > 5)
        #expect(count.drains > 5 && count.cancelled > 0 && count.fenced + count.taken > 0 && count.repeated > 0)
        #expect(count.early >= 200 && count.kept > 5 && count.replaced > 5 && count.shared >= 20)
    }
}
