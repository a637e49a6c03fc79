/// The neighbors of slots in doubly linked lists: any number of lists, and a slot in one of them at a time. Adding and
/// removing take constant time anywhere in the list, and allocate nothing once every slot has been in one.
public struct SlotLinks<Index: TableIndex>: Sendable {
    /// By the number of the slot.
    @usableFromInline var links: [SlotLink] = []

    /// Every slot is in no list.
    @inlinable @inline(__always) public init() {}

    /// The slot after this one in its list; nil: it is the last.
    @inlinable @inline(__always) public func next(after index: Index) -> Index? {
        SlotLink.index(links[Int(index.number)].next)
    }

    /// Whether the slot is in a list.
    @inlinable @inline(__always) public func isListed(_ index: Index) -> Bool {
        index.number < links.count && !links[Int(index.number)].isLoose
    }

    /// Adds a slot that is in no list at the end of this one.
    @inlinable public mutating func append(_ index: Index, to list: inout SlotList<Index>) {
        let last = list.tail
        link(index, SlotLink(previous: last, next: SlotLink.none))
        if last == SlotLink.none { list.head = index.number } else { links[Int(last)].next = index.number }
        list.tail = index.number
        list.size += 1
    }

    /// Adds a slot that is in no list at the beginning of this one.
    @inlinable public mutating func prepend(_ index: Index, to list: inout SlotList<Index>) {
        let first = list.head
        link(index, SlotLink(previous: SlotLink.none, next: first))
        if first == SlotLink.none { list.tail = index.number } else { links[Int(first)].previous = index.number }
        list.head = index.number
        list.size += 1
    }

    /// Takes the slot out of the list, in which it is.
    @inlinable public mutating func remove(_ index: Index, from list: inout SlotList<Index>) {
        let link = links[Int(index.number)]
        let (previous, next) = (link.previous, link.next)
        precondition(!link.isLoose && list.size > 0, "a slot leaves the list that it is in")
        links[Int(index.number)] = .loose
        if previous == SlotLink.none { list.head = next } else { links[Int(previous)].next = next }
        if next == SlotLink.none { list.tail = previous } else { links[Int(next)].previous = previous }
        list.size -= 1
    }

    @inlinable mutating func link(_ index: Index, _ link: SlotLink) {
        while links.count <= index.number { links.append(.loose) }
        precondition(links[Int(index.number)].isLoose, "a slot is in one list at a time")
        links[Int(index.number)] = link
    }
}
