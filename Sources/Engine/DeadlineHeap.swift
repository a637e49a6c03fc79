package import TaskModel

/// A binary heap of at most one deadline for each slot of a table. It knows each slot's position, so that a deadline is
/// moved or removed exactly: dead entries would pile up at the rate of runs.
package struct DeadlineHeap: Sendable {
    private var heap: [(at: UInt64, slot: UInt32)] = []
    /// Position in `heap` by slot; -1: none.
    private var positions: [Int32] = []

    package init() {}

    /// The earliest deadline; `distantFuture` when there is none.
    package var next: Instant { heap.isEmpty ? .distantFuture : Instant(nanoseconds: heap[0].at) }

    /// The slot whose deadline is the earliest, if that is at or before `now`.
    package func due(at now: Instant) -> UInt32? {
        heap.isEmpty || heap[0].at > now.nanoseconds ? nil : heap[0].slot
    }

    /// The slot's deadline; `distantFuture` when it has none.
    package subscript(slot: UInt32) -> Instant {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return .distantFuture }
        return Instant(nanoseconds: heap[Int(positions[Int(slot)])].at)
    }

    /// Sets or moves the slot's deadline.
    package mutating func set(_ slot: UInt32, to time: Instant) {
        while positions.count <= slot { positions.append(-1) }
        let position = Int(positions[Int(slot)])
        if position < 0 {
            heap.append((time.nanoseconds, slot))
            rise(from: heap.count - 1)
        } else {
            let earlier = time.nanoseconds < heap[position].at
            heap[position].at = time.nanoseconds
            if earlier { rise(from: position) } else { sink(from: position) }
        }
    }

    /// Removes the slot's deadline, if it has one.
    package mutating func remove(_ slot: UInt32) {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return }
        let position = Int(positions[Int(slot)])
        positions[Int(slot)] = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        let earlier = last.at < heap[position].at
        heap[position] = last
        positions[Int(last.slot)] = Int32(position)
        if earlier { rise(from: position) } else { sink(from: position) }
    }

    private mutating func rise(from start: Int) {
        var position = start
        let item = heap[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[parent].at > item.at else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(item, at: position)
    }

    private mutating func sink(from start: Int) {
        var position = start
        let item = heap[position]
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count && heap[child + 1].at < heap[child].at { child += 1 }
            guard heap[child].at < item.at else { break }
            place(heap[child], at: position)
            position = child
        }
        place(item, at: position)
    }

    private mutating func place(_ item: (at: UInt64, slot: UInt32), at position: Int) {
        heap[position] = item
        positions[Int(item.slot)] = Int32(position)
    }
}
