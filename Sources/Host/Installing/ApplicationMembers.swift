import TaskModel

/// The tasks of one application, those that its manifest no longer has included.
struct ApplicationMembers {
    /// Their indices, in the order in which they came.
    var tasks: [TaskIndex] = []
    /// Its manifest is there, maybe without a task.
    var isPresent = true
    /// The application's number in the record.
    let row: Int64

    init(row: Int64) { self.row = row }
}
