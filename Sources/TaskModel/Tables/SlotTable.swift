/// Slots that are taken, released and taken again: a table that has grown to its size allocates nothing.
///
/// Inside its module a slot is known by its index, which is valid from `take` to `release`. Outside it is known by a handle,
/// which may be kept forever: once the slot is released, the handle is invalid. An index that was found by one is good until the table
/// changes.
public struct SlotTable<Index: TableIndex, Slot: Sendable & BitwiseCopyable>: Sendable {
    @usableFromInline struct Entry: Sendable, BitwiseCopyable {
        @usableFromInline var slot: Slot
        /// How often it was released.
        @usableFromInline var generation: UInt32 = 0
        @usableFromInline var isTaken = true

        @inlinable @inline(__always) init(_ slot: Slot) { self.slot = slot }
    }

    @usableFromInline var entries: [Entry] = []
    @usableFromInline var links = SlotLinks<Index>()
    /// The one that was released last is taken first: it is still in the processor's cache.
    @usableFromInline var free = SlotList<Index>()

    /// An empty table.
    @inlinable public init() {}

    // MARK: Slots

    /// How many slots are taken.
    @inlinable @inline(__always) public var count: Int { entries.count - free.count }

    /// The indices of all slots as of now, also of free ones.
    @inlinable @inline(__always) public var indices: TableIndices<Index> { TableIndices(count: entries.count) }

    /// Whether the slot exists and is taken.
    @inlinable @inline(__always) public func isTaken(_ index: Index) -> Bool {
        index.number < entries.count && entries[Int(index.number)].isTaken
    }

    #if compiler(>=6.3)
    /// The contents of the slot, in place. The slot is taken.
    public subscript(index: Index) -> Slot {
        // Without optimisation as well, where a coroutine would take memory at each call.
        @inline(always) get {
            assert(entries[Int(index.number)].isTaken, "a released slot is nobody's")
            return entries[Int(index.number)].slot
        }
        @inline(always) _modify {
            assert(entries[Int(index.number)].isTaken, "a released slot is nobody's")
            yield &entries[Int(index.number)].slot
        }
    }
    #else
    /// The contents of the slot, in place. The slot is taken.
    public subscript(index: Index) -> Slot {
        get {
            assert(entries[Int(index.number)].isTaken, "a released slot is nobody's")
            return entries[Int(index.number)].slot
        }
        _modify {
            assert(entries[Int(index.number)].isTaken, "a released slot is nobody's")
            yield &entries[Int(index.number)].slot
        }
    }
    #endif

    /// Takes a slot, in no list, with this in it.
    @inlinable public mutating func take(_ slot: Slot) -> Index {
        guard let index = free.first else {
            entries.append(Entry(slot))
            return Index(number: UInt32(entries.count - 1))
        }
        links.remove(index, from: &free)
        entries[Int(index.number)].slot = slot
        entries[Int(index.number)].isTaken = true
        return index
    }

    /// Releases a slot that is in no list. Its handles are invalid from now on.
    @inlinable public mutating func release(_ index: Index) {
        precondition(isTaken(index), "a slot is released once")
        entries[Int(index.number)].isTaken = false
        entries[Int(index.number)].generation &+= 1
        links.prepend(index, to: &free)
    }

    // MARK: Lists

    /// The slot after this one in its list; nil: it is the last.
    @inlinable @inline(__always) public func next(after index: Index) -> Index? { links.next(after: index) }

    /// Adds a slot that is in no list at the end of this one.
    @inlinable @inline(__always) public mutating func append(_ index: Index, to list: inout SlotList<Index>) {
        links.append(index, to: &list)
    }

    /// Adds a slot that is in no list at the beginning of this one.
    @inlinable @inline(__always) public mutating func prepend(_ index: Index, to list: inout SlotList<Index>) {
        links.prepend(index, to: &list)
    }

    /// Takes the slot out of the list, in which it is.
    @inlinable @inline(__always) public mutating func remove(_ index: Index, from list: inout SlotList<Index>) {
        links.remove(index, from: &list)
    }

    // MARK: Handles

    /// The handle of the slot's present tenant.
    @inlinable @inline(__always) public func handle<Tag>(_ index: Index) -> SlotHandle<Tag>
    where Index == SlotIndex<Tag> {
        SlotHandle(index: index.number, generation: entries[Int(index.number)].generation)
    }

    /// A copy of the contents of the handle's slot; nil when it has been released, or never was.
    @inlinable @inline(__always) public subscript<Tag>(handle: SlotHandle<Tag>) -> Slot?
    where Index == SlotIndex<Tag> {
        guard let index = index(handle) else { return nil }
        return entries[Int(index.number)].slot
    }

    /// Where the handle's slot is; nil when it has been released, or never was.
    @inlinable @inline(__always) public func index<Tag>(_ handle: SlotHandle<Tag>) -> Index?
    where Index == SlotIndex<Tag> {
        guard isTaken(handle.slot), entries[Int(handle.index)].generation == handle.generation else { return nil }
        return handle.slot
    }
}
