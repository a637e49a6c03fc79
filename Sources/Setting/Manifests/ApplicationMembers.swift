package import TaskModel

/// The tasks of one application, those that its manifest no longer has included.
package struct ApplicationMembers {
    /// Their indices, in the order in which they came.
    package var tasks: [TaskIndex] = []
    /// Its manifest is there, maybe without a task.
    package var isPresent = true
    /// The application's number in the record.
    package let row: Int64

    package init(row: Int64) { self.row = row }
}
