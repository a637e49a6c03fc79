import Engine
import TaskModel
import TestSupport
import Testing

/// The heap of deadlines beside a plain list that does the same.
struct DeadlineHeapTests {
    @Test func `Random changes leave the heap equal to a plain list`() {
        let seed = SeededGenerator.chosenSeed()
        print("DeadlineHeap: TASKHOST_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        var heap = DeadlineHeap<RunIndex>()
        var model: [RunIndex: UInt64] = [:]
        for step in 0..<20_000 {
            let slot = RunIndex(number: UInt32.random(in: 0..<50, using: &generator))
            // Few different times: equal ones are common.
            let time = UInt64.random(in: 0..<200, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                heap.set(slot, to: Instant(nanoseconds: time))
                model[slot] = time
            case 6..<9:
                heap.remove(slot)
                model[slot] = nil
            default:
                let now = Instant(nanoseconds: time)
                while let due = heap.due(at: now) {
                    let expected = model.values.min()
                    guard model[due] == expected, expected ?? .max <= time else {
                        Issue.record("slot \(due) is not the earliest in step \(step), seed \(seed)")
                        return
                    }
                    heap.remove(due)
                    model[due] = nil
                }
                #expect(model.values.allSatisfy { $0 > time }, "step \(step), seed \(seed)")
            }
            let next = model.values.min().map { Instant(nanoseconds: $0) } ?? .distantFuture
            let own = model[slot].map { Instant(nanoseconds: $0) } ?? .distantFuture
            guard heap.next == next, heap[slot] == own else {
                Issue.record("the next deadline differs in step \(step), seed \(seed)")
                return
            }
        }
    }

    @Test func `A slot without a deadline is at the end of time`() {
        var heap = DeadlineHeap<RunIndex>()
        let slot = RunIndex(number: 7)
        #expect(heap.next == .distantFuture)
        #expect(heap[slot] == .distantFuture)
        #expect(heap.due(at: Instant(nanoseconds: .max - 1)) == nil)
        heap.remove(slot)
        heap.set(slot, to: Instant(nanoseconds: 3))
        #expect(heap.due(at: Instant(nanoseconds: 2)) == nil)
        #expect(heap.due(at: Instant(nanoseconds: 3)) == slot)
        heap.remove(slot)
        #expect(heap.due(at: .distantFuture) == nil)
    }
}
