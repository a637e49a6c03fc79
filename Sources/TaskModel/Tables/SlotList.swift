/// First, last and number of the slots in a list. The owner of the list keeps this; the links are in `SlotLinks`.
public struct SlotList<Index: TableIndex>: Sendable, BitwiseCopyable {
    @usableFromInline var head = SlotLink.none
    @usableFromInline var tail = SlotLink.none
    @usableFromInline var size: UInt32 = 0

    /// An empty list.
    @inlinable @inline(__always) public init() {}

    /// The first slot; nil when there is none.
    @inlinable @inline(__always) public var first: Index? { SlotLink.index(head) }
    /// The last slot; nil when there is none.
    @inlinable @inline(__always) public var last: Index? { SlotLink.index(tail) }
    /// How many slots are in it.
    @inlinable @inline(__always) public var count: Int { Int(size) }
    /// Whether no slot is in it.
    @inlinable @inline(__always) public var isEmpty: Bool { size == 0 }
}

/// A slot's neighbours in the list that it is in.
@usableFromInline struct SlotLink: Sendable, BitwiseCopyable {
    @usableFromInline var previous: UInt32
    @usableFromInline var next: UInt32

    @inlinable @inline(__always) init(previous: UInt32, next: UInt32) {
        self.previous = previous
        self.next = next
    }

    /// There is no neighbor on that side.
    @inlinable @inline(__always) static var none: UInt32 { .max }

    /// In place of the slot before one that is in no list.
    @inlinable @inline(__always) static var outside: UInt32 { UInt32.max - 1 }

    /// The slot is in no list.
    @inlinable @inline(__always) static var loose: SlotLink { SlotLink(previous: outside, next: none) }
    @inlinable @inline(__always) var isLoose: Bool { previous == Self.outside }

    @inlinable @inline(__always) static func index<Index: TableIndex>(_ number: UInt32) -> Index? {
        number == none ? nil : Index(number: number)
    }
}
