package import Record
package import TaskModel

// The files that tasks wait for, as they were.
extension Store {
    /// Remembers the files of a task as they were when a run began that has succeeded.
    func putFileMarks(_ marks: Set<FileMark>, task row: Int64) throws(StoreError) {
        try put(world.putFileMarks, row, FileMark.pack(marks))
    }
}

extension History {
    package func fileMarks(task: Int64) throws(StoreError) -> Set<FileMark> {
        let found = try Statement(database, "SELECT marks FROM tasks WHERE id = ?1", what: "read files")
        found.bind(1, task)
        guard try found.next() else { return [] }
        return unsafe FileMark.unpack(found.withBytes(0) { unsafe Array($0) }) ?? []
    }
}
