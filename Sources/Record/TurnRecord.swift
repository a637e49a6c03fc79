/// The writes of one turn of the loop: plain values, in order. A store takes them whole or not at all.
///
/// Used again for every turn, it allocates nothing for a run that begins or ends: its room stays.
package struct TurnRecord: Sendable, Equatable {
    /// The turn's number: each is higher than the one before it.
    package var turn: UInt64
    package private(set) var writes: [RecordWrite] = []
    /// Capacity beyond this is released: one turn may have ten thousand requests.
    private static let keptRoom = 1024

    package init(turn: UInt64 = 0) { self.turn = turn }

    package var isEmpty: Bool { writes.isEmpty }

    package mutating func append(_ write: consuming RecordWrite) { writes.append(write) }

    /// Empties it for the turn of that number.
    package mutating func begin(turn: UInt64) {
        self.turn = turn
        writes.removeAll(keepingCapacity: writes.capacity <= Self.keptRoom)
    }
}
