/// The place of an object in a table: a number that fits no other table.
///
/// Tables and their parts are public, and their short functions always inlined: the compiler (6.3) does not let other
/// modules specialize a `package` function, and each access would go through a witness table, with an allocation.
public protocol TableIndex: Hashable, Sendable, BitwiseCopyable {
    /// Counts from 0. The two largest numbers are never used.
    var number: UInt32 { get }
    /// The index with this number.
    init(number: UInt32)
}

extension TableIndex {
    /// That of a table's first row.
    @inlinable @inline(__always) public static var first: Self { Self(number: 0) }

    /// That of the row after this one, which may not be there yet.
    @inlinable @inline(__always) public var next: Self { Self(number: number + 1) }
}

/// The indices of a table, in order.
public struct TableIndices<Index: TableIndex>: RandomAccessCollection, Sendable {
    /// How many there are.
    public let count: Int

    @inlinable @inline(__always) init(count: Int) { self.count = count }

    /// The place of the first one.
    @inlinable @inline(__always) public var startIndex: Int { 0 }
    /// The place behind the last one.
    @inlinable @inline(__always) public var endIndex: Int { count }
    /// The one at that place.
    @inlinable @inline(__always) public subscript(place: Int) -> Index {
        Index(number: UInt32(truncatingIfNeeded: place))
    }
}
