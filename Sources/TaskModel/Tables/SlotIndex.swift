/// Where a slot or a row stands in the tables of its kind, which the tag names.
public struct SlotIndex<Tag>: TableIndex {
    /// Counts from 0.
    public let number: UInt32

    /// The index with this number.
    @inline(always) public init(number: UInt32) { self.number = number }
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
    @inline(always) public init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }

    /// Where the slot stands, whoever lives in it now.
    @inline(always) public var slot: SlotIndex<Tag> { SlotIndex(number: index) }
}

/// Marks what belongs to runs.
package enum RunTag {}
/// Where a run stands in the tables of one host.
package typealias RunIndex = SlotIndex<RunTag>
/// A run within one host.
package typealias RunHandle = SlotHandle<RunTag>

/// Marks what belongs to workers.
package enum WorkerTag {}
/// Where a worker stands in the tables of one host.
package typealias WorkerIndex = SlotIndex<WorkerTag>
/// A worker within one host.
package typealias WorkerHandle = SlotHandle<WorkerTag>

/// Marks what belongs to requests.
package enum RequestTag {}
/// Where a request stands in the scheduler's tables.
package typealias RequestIndex = SlotIndex<RequestTag>
/// A request while the scheduler knows it.
package typealias RequestHandle = SlotHandle<RequestTag>

/// Marks what belongs to tasks.
package enum TaskTag {}
/// Where a task stands in the tables of one host.
package typealias TaskIndex = SlotIndex<TaskTag>

/// Marks what belongs to applications.
package enum ApplicationTag {}
/// Where an application stands in the tables of one host.
package typealias ApplicationIndex = SlotIndex<ApplicationTag>

/// Marks what belongs to schedules.
package enum ScheduleTag {}
/// Where a rule stands in the scheduler's table of schedules.
package typealias ScheduleIndex = SlotIndex<ScheduleTag>

/// Marks what belongs to transfers.
package enum TransferTag {}
/// Where a transfer stands in the tables of one host.
package typealias TransferIndex = SlotIndex<TransferTag>
/// A transfer within one host.
package typealias TransferHandle = SlotHandle<TransferTag>

/// Marks what belongs to background sessions.
package enum SessionTag {}
/// Where a background session stands in the tables of one host.
package typealias SessionIndex = SlotIndex<SessionTag>
/// A background session within one host.
package typealias SessionHandle = SlotHandle<SessionTag>
