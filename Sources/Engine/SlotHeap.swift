/// A binary heap of at most one key for each slot of a table, least first. It knows each slot's position, so that a key
/// is moved or removed exactly.
package struct SlotHeap: Sendable {
    private var heap: [(key: UInt64, slot: UInt32)] = []
    /// Position in `heap` by slot; -1: none.
    private var positions: [Int32] = []

    package init() {}

    /// The slot with the least key, and that key.
    package var first: (key: UInt64, slot: UInt32)? { heap.isEmpty ? nil : heap[0] }

    /// The slot's key, if it has one.
    package subscript(slot: UInt32) -> UInt64? {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return nil }
        return heap[Int(positions[Int(slot)])].key
    }

    /// Sets or moves the slot's key.
    package mutating func set(_ slot: UInt32, to key: UInt64) {
        while positions.count <= slot { positions.append(-1) }
        let position = Int(positions[Int(slot)])
        if position < 0 {
            heap.append((key, slot))
            rise(from: heap.count - 1)
        } else {
            let smaller = key < heap[position].key
            heap[position].key = key
            if smaller { rise(from: position) } else { sink(from: position) }
        }
    }

    /// Removes the slot's key, if it has one.
    package mutating func remove(_ slot: UInt32) {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return }
        let position = Int(positions[Int(slot)])
        positions[Int(slot)] = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        let smaller = last.key < heap[position].key
        heap[position] = last
        positions[Int(last.slot)] = Int32(position)
        if smaller { rise(from: position) } else { sink(from: position) }
    }

    private mutating func rise(from start: Int) {
        var position = start
        let item = heap[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[parent].key > item.key else { break }
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
            if child + 1 < heap.count && heap[child + 1].key < heap[child].key { child += 1 }
            guard heap[child].key < item.key else { break }
            place(heap[child], at: position)
            position = child
        }
        place(item, at: position)
    }

    private mutating func place(_ item: (key: UInt64, slot: UInt32), at position: Int) {
        heap[position] = item
        positions[Int(item.slot)] = Int32(position)
    }
}
