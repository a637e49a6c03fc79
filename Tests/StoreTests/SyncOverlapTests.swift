import TaskModel
import Testing
@testable import Store

@Suite("Syncs that overlap with later turns")
struct SyncOverlapTests {
    // MARK: When

    @Test("do so once several in a row were slow, and until several in a row were fast")
    func pace() {
        var pace = SyncPace()
        for _ in 0..<7 { pace.observe(.milliseconds(20)) }
        pace.observe(.zero)
        for _ in 0..<7 { pace.observe(.milliseconds(2)) }
        #expect(!pace.overlaps)
        pace.observe(.milliseconds(2))
        #expect(pace.overlaps)
        for _ in 0..<20 {
            for _ in 0..<7 { pace.observe(.zero) }
            pace.observe(.milliseconds(1))
        }
        #expect(pace.overlaps)
        for _ in 0..<8 { pace.observe(.zero) }
        #expect(!pace.overlaps)
    }

    @Test("make durable what was committed before they began, and no turn before an earlier one")
    func order() {
        var queue = SyncQueue()
        queue.didSync(1)
        #expect(queue.durable == 1)
        #expect(!queue.add(2, hasWrites: false) && queue.durable == 2)
        #expect(queue.add(3, hasWrites: true) && queue.durable == 2)
        #expect(!queue.add(4, hasWrites: false) && !queue.isBusy)
        #expect(!queue.didFinish(covering: 3) && queue.durable == 4 && !queue.isBusy)
        #expect(queue.add(5, hasWrites: true) && !queue.add(6, hasWrites: true) && !queue.add(7, hasWrites: false))
        // It began when turn 5 was committed: the next one is for turn 6, and turn 7 had nothing to write.
        #expect(queue.didFinish(covering: 5) && queue.durable == 5 && queue.isBusy)
        #expect(!queue.add(8, hasWrites: false) && queue.durable == 5)
        #expect(!queue.didFinish(covering: 6) && queue.durable == 8 && !queue.isSyncing && !queue.isBusy)
        // It began when both were.
        #expect(queue.add(9, hasWrites: true) && !queue.add(10, hasWrites: true))
        #expect(!queue.didFinish(covering: 10) && queue.durable == 10 && queue.isBusy)
    }
}
