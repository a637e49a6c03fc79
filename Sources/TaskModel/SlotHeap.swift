/// A heap with at most one key for each slot of a table, least first. It knows each slot's position, so that a key is moved or
/// removed exactly. Four children to a node: half the levels of a binary heap, and one cache line for each.
package struct SlotHeap: Sendable {
    private struct Item: Sendable, BitwiseCopyable {
        var key: Int64
        var slot: UInt32
    }

    /// Asked for by number: without optimisation `first` of an array allocates.
    private var items: [Item] = []
    /// Position in `items` by slot; -1: none.
    private var positions: [Int32] = []

    package init() {}

    /// The least key; nil when there is none.
    package var least: Int64? { items.isEmpty ? nil : items[0].key }

    /// How many slots have a key.
    package var count: Int { items.count }

    /// The slot with the least key; nil when there is none.
    package var first: UInt32? { items.isEmpty ? nil : items[0].slot }

    /// The slot with the least key, if that is at or below `key`.
    package func first(upTo key: Int64) -> UInt32? {
        guard !items.isEmpty, items[0].key <= key else { return nil }
        return items[0].slot
    }

    /// The slot's key, if it has one.
    package subscript(slot: UInt32) -> Int64? {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return nil }
        return items[Int(positions[Int(slot)])].key
    }

    /// Sets or moves the slot's key.
    package mutating func set(_ slot: UInt32, to key: Int64) {
        while positions.count <= slot { positions.append(-1) }
        let position = Int(positions[Int(slot)])
        if position < 0 {
            items.append(Item(key: key, slot: slot))
            rise(from: items.count - 1)
        } else {
            let earlier = key < items[position].key
            items[position].key = key
            if earlier { rise(from: position) } else { sink(from: position) }
        }
    }

    /// Removes the slot's key, if it has one.
    package mutating func remove(_ slot: UInt32) {
        guard slot < positions.count, positions[Int(slot)] >= 0 else { return }
        let position = Int(positions[Int(slot)])
        positions[Int(slot)] = -1
        let last = items.removeLast()
        guard position < items.count else { return }
        let earlier = last.key < items[position].key
        items[position] = last
        positions[Int(last.slot)] = Int32(position)
        if earlier { rise(from: position) } else { sink(from: position) }
    }

    /// Every slot with a key, in no order.
    package var slots: [UInt32] { items.map(\.slot) }

    private mutating func rise(from start: Int) {
        var position = start
        let item = items[position]
        while position > 0 {
            let parent = (position - 1) / 4
            guard items[parent].key > item.key else { break }
            place(items[parent], at: position)
            position = parent
        }
        place(item, at: position)
    }

    private mutating func sink(from start: Int) {
        var position = start
        let item = items[position]
        while true {
            let first = 4 * position + 1
            guard first < items.count else { break }
            var child = first
            for other in first + 1..<max(first + 1, min(first + 4, items.count))
            where items[other].key < items[child].key {
                child = other
            }
            guard items[child].key < item.key else { break }
            place(items[child], at: position)
            position = child
        }
        place(item, at: position)
    }

    private mutating func place(_ item: Item, at position: Int) {
        items[position] = item
        positions[Int(item.slot)] = Int32(position)
    }
}
