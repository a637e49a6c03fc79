extension RecordSchema {
    /// The files of a task as they were when its last successful run started (`FileMark.pack`). In the row of the task, with
    /// which they are forgotten.
    static let fileMarks = "ALTER TABLE tasks ADD COLUMN marks BLOB"
}
