/// The place of a slot or a row in the tables of its kind, which the tag names.
public struct SlotIndex<Tag>: TableIndex {
    /// Counts from 0.
    public let number: UInt32

    /// The index with this number.
    @inlinable @inline(__always) public init(number: UInt32) { self.number = number }
}

extension SlotIndex: CustomStringConvertible {
    /// The number.
    public var description: String { String(number) }
}

/// A slot and the generation that lived in it, so that a handle that comes late misses instead of hitting the slot's next
/// tenant.
public struct SlotHandle<Tag>: Hashable, Sendable, BitwiseCopyable {
    /// The number of the slot.
    public var index: UInt32
    /// How many tenants the slot had before.
    public var generation: UInt32

    /// The handle of a tenant; a table gives it.
    @inlinable @inline(__always) public init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }

    /// The place of the slot, whichever object is in it now.
    @inlinable @inline(__always) public var slot: SlotIndex<Tag> { SlotIndex(number: index) }
}

/// Marks what belongs to runs.
package enum RunTag {}
/// The place of a run in the tables of one host.
package typealias RunIndex = SlotIndex<RunTag>
/// A run within one host.
package typealias RunHandle = SlotHandle<RunTag>

/// Marks what belongs to workers.
package enum WorkerTag {}
/// The place of a worker in the tables of one host.
package typealias WorkerIndex = SlotIndex<WorkerTag>
/// A worker within one host.
package typealias WorkerHandle = SlotHandle<WorkerTag>

/// Marks what belongs to requests.
package enum RequestTag {}
/// The place of a request in the scheduler's tables.
package typealias RequestIndex = SlotIndex<RequestTag>
/// A request in the scheduler.
package typealias RequestHandle = SlotHandle<RequestTag>

/// Marks what belongs to tasks.
package enum TaskTag {}
/// The place of a task in the tables of one host.
package typealias TaskIndex = SlotIndex<TaskTag>

/// Marks what belongs to applications.
package enum ApplicationTag {}
/// The place of an application in the tables of one host.
package typealias ApplicationIndex = SlotIndex<ApplicationTag>

/// Marks what belongs to schedules.
package enum ScheduleTag {}
/// The place of a rule in the scheduler's table of schedules.
package typealias ScheduleIndex = SlotIndex<ScheduleTag>

/// Marks what belongs to transfers.
package enum TransferTag {}
/// The place of a transfer in the tables of one host.
package typealias TransferIndex = SlotIndex<TransferTag>
/// A transfer within one host.
package typealias TransferHandle = SlotHandle<TransferTag>

/// Marks what belongs to background sessions.
package enum SessionTag {}
/// The place of a background session in the tables of one host.
package typealias SessionIndex = SlotIndex<SessionTag>
/// A background session within one host.
package typealias SessionHandle = SlotHandle<SessionTag>
