import Host
import TaskModel
import Testing

@Suite("The gate of launches")
struct LaunchGateTests {
    private static func at(_ milliseconds: UInt64) -> Instant { Instant(nanoseconds: 1_000_000 * milliseconds) }
    private let workers = (1...3).map { WorkerHandle(index: $0, generation: 1) }

    @Test("is open as long as no launch lacks descriptors")
    func open() {
        var gate = LaunchGate()
        for worker in workers {
            #expect(gate.lets(at: Self.at(1)))
            gate.begin(worker, at: Self.at(1))
        }
    }

    @Test("opens for one launch at a time when some came free, or after a second")
    func short() {
        var gate = LaunchGate()
        gate.begin(workers[0], at: Self.at(0))
        gate.lacked(at: Self.at(10))
        #expect(!gate.lets(at: Self.at(1009)) && gate.lets(at: Self.at(1010)) && gate.deadline == Self.at(1010))
        gate.cameFree()
        #expect(gate.lets(at: Self.at(11)))
        gate.begin(workers[1], at: Self.at(11))
        #expect(!gate.lets(at: Self.at(12)))
        // Another's end changes nothing.
        gate.end(workers[0])
        gate.cameFree()
        #expect(!gate.lets(at: Self.at(12)) && gate.lets(at: Self.at(10_011)))
        gate.end(workers[1])
        #expect(gate.lets(at: Self.at(12)))
        gate.begin(workers[2], at: Self.at(12))
        gate.lacked(at: Self.at(13))
        #expect(!gate.lets(at: Self.at(14)))
        gate.drain()
        #expect(!gate.lets(at: Self.at(14)))
        gate.cameFree()
        gate.drain()
        gate.begin(workers[0], at: Self.at(15))
        #expect(gate.lets(at: Self.at(15)))
    }
}
