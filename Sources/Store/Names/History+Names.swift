package import Record

// Numbers of names: each is one look-up in an index.
extension History {
    package func highestNames() throws(StoreError) -> NameNumbers {
        func highest(_ query: String) throws(StoreError) -> Int64 {
            let highest = try database.integer(query) ?? 0
            // No host gives this many: the file is damaged or foreign, and its next names would have no number.
            guard highest < Int64.max / 2 else { throw unreadable("tasks", highest) }
            return max(0, highest)
        }
        return NameNumbers(
            application: try highest("SELECT max(id) FROM applications"),
            task: try highest("SELECT max(id) FROM tasks"),
            setup: try highest("SELECT max(id) FROM setups"))
    }

    package func applicationRow(_ identifier: String) throws(StoreError) -> Int64? {
        let find = try Statement(
            database, "SELECT id FROM applications WHERE identifier = ?1", what: "find an application")
        find.bind(1, identifier)
        return try find.first()
    }

    package func taskRow(_ name: TaskName) throws(StoreError) -> Int64? {
        findTask.bind(values: name.identifier, name.application)
        return try findTask.first()
    }

    package func setupRow(_ setup: RunSetup) throws(StoreError) -> Int64? {
        let find = try Statement(
            database, "SELECT id FROM setups WHERE confinement = ?1 AND degraded = ?2", what: "find a set-up")
        find.bind(values: Self.words(of: setup), TextList.pack(setup.degraded))
        return try find.first()
    }

    /// The confinement as the record has it.
    static func words(of setup: RunSetup) -> String { TextList.pack(setup.confinement.map { [$0] } ?? []) }
}
