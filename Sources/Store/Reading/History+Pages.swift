package import Record
import TaskModel

// The past in portions, for callers that must not block: a page takes time for its own rows alone.
extension History {
    /// How many rows are searched for one page when only some are wanted: they may be far apart.
    package static let scanned: Int64 = 4000

    /// The rows of a name: of tasks with that identifier, or else of the application of that name.
    package func taskRows(named name: String) throws(StoreError) -> Set<Int64> {
        let rows = try taskRows(where: "identifier", is: name)
        return rows.isEmpty ? try taskRows(ofApplication: name) : rows
    }

    /// Rows of the tasks that the application has or had.
    package func taskRows(ofApplication application: String) throws(StoreError) -> Set<Int64> {
        try taskRows(where: "application", is: application)
    }

    func taskRows(where column: StaticString, is name: String) throws(StoreError) -> Set<Int64> {
        let find = try Statement(database, "SELECT id FROM tasks WHERE \(column) = ?1", what: "find a task")
        find.bind(1, name)
        return Set(try find.integers())
    }

    /// The rows that are wanted among the next `most` ones, by their first column, and where to continue.
    func scan(
        _ rows: borrowing Statement, limit: Int, most: Int64 = scanned, _ isWanted: (borrowing Statement) -> Bool
    ) throws(StoreError) -> (chosen: [Int64], next: Int64?) {
        var chosen: [Int64] = []
        var looked: Int64 = 0
        var last: Int64?
        while chosen.count < limit, try rows.next() {
            looked += 1
            last = rows.integer(0)
            if isWanted(rows) { chosen.append(rows.integer(0)) }
        }
        rows.reset()
        return (chosen, looked < most && chosen.count < limit ? nil : last)
    }

    /// Lines of the journal, newest first.
    package func journal(before: Int64?, limit: Int) throws(StoreError) -> RowPage<JournalEntry> {
        let row = try Statement(
            database, "SELECT \(JournalColumn.list) FROM journal WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
            what: "read the journal")
        row.bind(values: before ?? Int64.max, Int64(limit))
        return try page(of: row, "journal", limit: limit, Self.journalLine).below(before)
    }

    /// Past values of the conditions, newest first.
    package func deviceLog(before: Int64?, limit: Int) throws(StoreError) -> RowPage<DeviceLogEntry> {
        let row = try Statement(
            database, "SELECT \(DeviceColumn.list) FROM device_log WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
            what: "read the log of the device")
        row.bind(values: before ?? Int64.max, Int64(limit))
        var page = RowPage<DeviceLogEntry>(elements: [], next: nil)
        var count = 0
        while try row.next() {
            count += 1
            if count == limit { page.next = row.integer(DeviceColumn.seq) }
            // A condition that only another version knows is skipped: nothing here waits for it.
            guard let condition = row.text(DeviceColumn.condition).flatMap({ ConditionName($0) }) else { continue }
            page.elements.append(
                DeviceLogEntry(
                    at: Timestamp(nanoseconds: row.integer(DeviceColumn.at)), condition: condition,
                    value: row.text(DeviceColumn.value) ?? ""))
        }
        page.damage = database.damage.sentence()
        return page.below(before)
    }

    /// Identifiers of recorded tasks, in their order, from the one after `identifier` on.
    package func identifiers(after identifier: String?, limit: Int) throws(StoreError) -> [String] {
        let row = try Statement(
            database, "SELECT DISTINCT identifier FROM tasks WHERE identifier > ?1 ORDER BY identifier LIMIT ?2",
            what: "read tasks")
        row.bind(values: identifier ?? "", Int64(limit))
        // An index that is damaged may give what is before it.
        return try row.rows { $0.text(0) ?? "" }.filter { $0 > identifier ?? "" }
    }
}
