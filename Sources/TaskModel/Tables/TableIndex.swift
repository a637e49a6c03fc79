/// Where something stands in a table: a number that fits no other table.
///
/// Tables and what they are made of are public, and their short functions always inlined: the compiler (6.3) lets no other
/// module specialise a `package` function, and each access would be one through a witness table, with an allocation.
public protocol TableIndex: Hashable, Sendable, BitwiseCopyable {
    /// Counts from 0. The two largest numbers belong to nobody.
    var number: UInt32 { get }
    /// The index with this number.
    init(number: UInt32)
}

/// The indices of a table, in order.
public struct TableIndices<Index: TableIndex>: Sequence, IteratorProtocol, Sendable {
    @usableFromInline var number: UInt32 = 0
    @usableFromInline let count: UInt32

    @inlinable @inline(always) init(count: Int) { self.count = UInt32(count) }

    /// The next one; nil after the last.
    @inline(always) public mutating func next() -> Index? {
        guard number < count else { return nil }
        defer { number += 1 }
        return Index(number: number)
    }
}
