import Record
import TaskModel

/// Reads how long the newest runs of tasks took, some tasks at a time.
struct TaskLengths {
    /// Tasks of one step, each of which reads some runs.
    private static let portion = 10

    /// The median, by identifier.
    private(set) var found: [String: TimeSpan] = [:]
    private var rest: ArraySlice<String> = []

    /// These are to be read as well.
    mutating func add(_ tasks: [TaskDefinition]) { rest += tasks.lazy.map(\.identifier) }

    /// Does a little; true: all are read.
    mutating func step(_ record: any RecordReader) throws(StoreError) -> Bool {
        for identifier in rest.prefix(Self.portion) { found[identifier] = try record.medianLength(of: identifier) }
        rest = rest.dropFirst(Self.portion)
        return rest.isEmpty
    }
}
