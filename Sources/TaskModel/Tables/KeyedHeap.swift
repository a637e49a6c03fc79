/// A heap with at most one key for each slot of a table, least first. It knows each slot's position, so that a key is moved or
/// removed exactly. Four children to a node: half the levels of a binary heap, and one cache line for each.
public struct KeyedHeap<Index: TableIndex, Key: Comparable & Sendable & BitwiseCopyable>: Sendable {
    @usableFromInline struct Item: Sendable, BitwiseCopyable {
        @usableFromInline var key: Key
        @usableFromInline var slot: UInt32

        @inlinable init(key: Key, slot: UInt32) {
            self.key = key
            self.slot = slot
        }
    }

    /// Accessed by index: without optimization `first` of an array allocates.
    @usableFromInline var items: [Item] = []
    /// Position in `items` by slot; -1: none.
    @usableFromInline var positions: [Int32] = []

    /// An empty heap.
    @inlinable public init() {}

    /// The least key; nil when there is none.
    @inlinable public var least: Key? { items.isEmpty ? nil : items[0].key }

    /// How many slots have a key.
    @inlinable public var count: Int { items.count }

    /// The slot with the least key; nil when there is none.
    @inlinable public var first: Index? { items.isEmpty ? nil : Index(number: items[0].slot) }

    /// The slot with the least key, if that is at or below `key`.
    @inlinable public func first(upTo key: Key) -> Index? {
        guard !items.isEmpty, items[0].key <= key else { return nil }
        return Index(number: items[0].slot)
    }

    /// The slot's key, if it has one.
    @inlinable public subscript(index: Index) -> Key? { position(index).map { items[$0].key } }

    /// Sets or moves the slot's key.
    @inlinable public mutating func set(_ index: Index, to key: Key) {
        guard let position = position(index) else {
            while positions.count <= index.number { positions.append(-1) }
            items.append(Item(key: key, slot: index.number))
            return rise(from: items.count - 1)
        }
        let earlier = key < items[position].key
        items[position].key = key
        if earlier { rise(from: position) } else { sink(from: position) }
    }

    /// Removes the slot's key, if it has one.
    @inlinable public mutating func remove(_ index: Index) {
        guard let position = position(index) else { return }
        positions[Int(index.number)] = -1
        let last = items.removeLast()
        guard position < items.count else { return }
        let earlier = last.key < items[position].key
        items[position] = last
        positions[Int(last.slot)] = Int32(position)
        if earlier { rise(from: position) } else { sink(from: position) }
    }

    /// Every slot with a key, in no order.
    @inlinable public var slots: [Index] { items.map { Index(number: $0.slot) } }

    /// Where the slot's key is in `items`; nil: it has none.
    @inlinable @inline(__always) func position(_ index: Index) -> Int? {
        guard index.number < positions.count, positions[Int(index.number)] >= 0 else { return nil }
        return Int(positions[Int(index.number)])
    }

    @inlinable mutating func rise(from start: Int) {
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

    @inlinable mutating func sink(from start: Int) {
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

    @inlinable mutating func place(_ item: Item, at position: Int) {
        items[position] = item
        positions[Int(item.slot)] = Int32(position)
    }
}

/// A heap of numbers: times in nanoseconds for the most part.
public typealias SlotHeap<Index: TableIndex> = KeyedHeap<Index, Int64>
