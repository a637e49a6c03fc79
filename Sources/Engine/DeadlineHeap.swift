package import TaskModel

/// At most one deadline for each slot of a table. Deadlines are moved and removed exactly: dead entries would pile up at
/// the rate of runs.
package struct DeadlineHeap<Index: TableIndex>: Sendable {
    private var heap = SlotHeap<Index>()

    package init() {}

    /// The earliest deadline; `distantFuture` when there is none.
    package var next: Instant { Self.instant(heap.least) }

    /// The slot with the earliest deadline, if it is at or before `now`.
    package func due(at now: Instant) -> Index? { heap.first(upTo: Self.key(now)) }

    /// The slot's deadline; `distantFuture` when it has none.
    package subscript(slot: Index) -> Instant { Self.instant(heap[slot]) }

    /// Sets or moves the slot's deadline.
    package mutating func set(_ slot: Index, to time: Instant) { heap.set(slot, to: Self.key(time)) }

    /// Removes the slot's deadline, if it has one.
    package mutating func remove(_ slot: Index) { heap.remove(slot) }

    /// The monotonic clock starts at boot: times 292 years ahead count as the distant future.
    private static func key(_ time: Instant) -> Int64 { Int64(clamping: time.nanoseconds) }
    private static func instant(_ key: Int64?) -> Instant {
        guard let key, key < .max else { return .distantFuture }
        return Instant(nanoseconds: UInt64(key))
    }
}
