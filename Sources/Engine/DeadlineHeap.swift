package import TaskModel

/// At most one deadline for each slot of a table. Deadlines are moved and removed exactly: dead entries would pile up at
/// the rate of runs.
package struct DeadlineHeap: Sendable {
    private var heap = SlotHeap()

    package init() {}

    /// The earliest deadline; `distantFuture` when there is none.
    package var next: Instant { heap.first.map { Instant(nanoseconds: $0.key) } ?? .distantFuture }

    /// The slot whose deadline is the earliest, if that is at or before `now`.
    package func due(at now: Instant) -> UInt32? {
        guard let first = heap.first, first.key <= now.nanoseconds else { return nil }
        return first.slot
    }

    /// The slot's deadline; `distantFuture` when it has none.
    package subscript(slot: UInt32) -> Instant { heap[slot].map { Instant(nanoseconds: $0) } ?? .distantFuture }

    /// Sets or moves the slot's deadline.
    package mutating func set(_ slot: UInt32, to time: Instant) { heap.set(slot, to: time.nanoseconds) }

    /// Removes the slot's deadline, if it has one.
    package mutating func remove(_ slot: UInt32) { heap.remove(slot) }
}
