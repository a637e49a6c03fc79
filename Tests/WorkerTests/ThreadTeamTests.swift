import Linux
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Worker

@Suite("The threads of a worker")
struct ThreadTeamTests {
    /// Frames to be received, and what was acted on.
    private final class Wire: Sendable {
        let acted = Mutex<[Int]>([])
        let starts = Atomic(0)
        private let next = Atomic(0)

        /// Until so many frames were asked for.
        func waitForReading(of number: Int) {
            var patience = Patience()
            while next.load(ordering: .relaxed) < number && patience.milliseconds() != nil { usleep(1000) }
        }

        /// The number of the next frame as its length; waits for ever after the third.
        func receive() -> Int {
            let number = next.wrappingAdd(1, ordering: .relaxed).newValue
            while number > 3 { sleep(1000) }
            return number
        }

        func wait(for number: Int) -> Bool {
            var patience = Patience()
            while patience.milliseconds() != nil {
                if acted.withLock({ $0.contains(number) }) { return true }
                usleep(1000)
            }
            return false
        }
    }

    @Test("read on while a handler keeps one, though the first could not be started")
    func startsAgain() {
        let wire = Wire()
        let team = ThreadTeam(
            bufferSize: 64, receive: { _ in wire.receive() },
            act: { frame in
                // The first keeps its thread until the last has been acted on, which takes another thread.
                if frame.count == 1 { _ = wire.wait(for: 3) }
                wire.acted.withLock { $0.append(frame.count) }
            },
            start: { body in
                // The limit of processes was reached when the team began.
                wire.starts.wrappingAdd(1, ordering: .relaxed).newValue > 1 ? DetachedThread.start(body) : false
            })
        #expect(DetachedThread.start { team.lead() })
        #expect(wire.wait(for: 1), "acted on \(wire.acted.withLock { $0 })")
        #expect(wire.acted.withLock { $0 } == [2, 3, 1])
        #expect(wire.starts.load(ordering: .relaxed) >= 2)
    }

    @Test("act on frames that have an order as they came, though one is kept from working in between")
    func inOrder() {
        let wire = Wire()
        let team = ThreadTeam(
            bufferSize: 64, receive: { _ in wire.receive() }, hasOrder: { _ in true },
            act: { frame in
                // The third has come as well by then.
                if frame.count == 1 { wire.waitForReading(of: 4) }
                wire.acted.withLock { $0.append(frame.count) }
            })
        #expect(DetachedThread.start { team.lead() })
        #expect(wire.wait(for: 3) && wire.wait(for: 1))
        #expect(wire.acted.withLock { $0 } == [1, 2, 3])
    }
}
