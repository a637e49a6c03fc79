package import Record

// Names and their numbers, which the host makes.
extension Store {
    package func name(application identifier: String, _ row: Int64) throws(StoreError) {
        try put(statements.addApplication, row, identifier)
    }

    package func name(_ task: TaskName, _ row: Int64) throws(StoreError) {
        try put(statements.addTask, row, task.identifier, task.application)
    }

    package func name(_ setup: RunSetup, _ row: Int64) throws(StoreError) {
        try put(statements.addSetup, row, History.words(of: setup), TextList.pack(setup.degraded))
    }
}
