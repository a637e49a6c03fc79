package import Record
package import TaskModel

// The past in portions, for callers that must not block: a page takes time for its own rows alone.
extension History {
    /// How many rows are searched for one page when only those of some tasks are wanted: they may be far apart.
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
        var rows: Set<Int64> = []
        while try find.next() { rows.insert(find.integer(0)) }
        return rows
    }

    /// Runs recorded before one, newest first. A page may have fewer than `limit` runs, or none, and still not be the last.
    ///
    /// - Parameters:
    ///   - tasks: only of these, from `taskRows`; nil: of all.
    ///   - before: `next` of the page before; nil: from the newest on.
    package func runs(of tasks: Set<Int64>?, before: Int64?, limit: Int) throws(StoreError) -> Page<RunRecord> {
        guard let tasks else {
            let rows = try select("WHERE runs.seq < ?1 ORDER BY runs.seq DESC LIMIT ?2")
            rows.bind(1, before ?? Int64.max)
            rows.bind(2, Int64(limit))
            return page(of: try records(of: rows), limit: limit)
        }
        if tasks.isEmpty { return Page(elements: [], next: nil) }
        if tasks.count == 1, let task = tasks.first {
            let rows = try select("WHERE runs.seq < ?1 AND runs.task = ?3 ORDER BY runs.seq DESC LIMIT ?2")
            rows.bind(1, before ?? Int64.max)
            rows.bind(2, Int64(limit))
            rows.bind(3, task)
            return page(of: try records(of: rows), limit: limit)
        }
        return try scan(for: tasks, before: before, limit: limit)
    }

    private func page(of rows: [(sequence: Int64, record: RunRecord)], limit: Int) -> Page<RunRecord> {
        Page(elements: rows.map(\.record), next: rows.count < limit ? nil : rows.last?.sequence)
    }

    /// Searches the next `scanned` rows for runs of several tasks.
    private func scan(for tasks: Set<Int64>, before: Int64?, limit: Int) throws(StoreError) -> Page<RunRecord> {
        let rows = try Statement(
            database, "SELECT seq, task FROM runs WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2", what: "read runs")
        rows.bind(1, before ?? Int64.max)
        rows.bind(2, Self.scanned)
        var chosen: [Int64] = []
        var looked: Int64 = 0
        var last: Int64?
        while chosen.count < limit, try rows.next() {
            looked += 1
            last = rows.integer(0)
            if tasks.contains(rows.integer(1)) { chosen.append(rows.integer(0)) }
        }
        let one = try select("WHERE runs.seq = ?1")
        var found: [RunRecord] = []
        for sequence in chosen {
            one.bind(1, sequence)
            found += try records(of: one).map(\.record)
        }
        return Page(elements: found, next: looked < Self.scanned && chosen.count < limit ? nil : last)
    }

    /// Lines of the journal, newest first.
    package func journal(before: Int64?, limit: Int) throws(StoreError) -> Page<JournalEntry> {
        let row = try Statement(
            database, "SELECT seq, at, kind, subject, text FROM journal WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
            what: "read the journal")
        row.bind(1, before ?? Int64.max)
        row.bind(2, Int64(limit))
        let lines = try journalLines(row)
        return Page(elements: lines.map(\.entry), next: lines.count < limit ? nil : lines.last?.sequence)
    }

    /// Past values of the conditions, newest first.
    package func deviceLog(before: Int64?, limit: Int) throws(StoreError) -> Page<DeviceLogEntry> {
        let row = try Statement(
            database, "SELECT seq, at, condition, value FROM device_log WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
            what: "read the log of the device")
        row.bind(1, before ?? Int64.max)
        row.bind(2, Int64(limit))
        var page = Page<DeviceLogEntry>(elements: [], next: nil)
        var count = 0
        while try row.next() {
            count += 1
            if count == limit { page.next = row.integer(0) }
            // A condition that only another version knows is skipped: nothing here waits for it.
            guard let condition = row.text(2).flatMap({ ConditionName($0) }) else { continue }
            page.elements.append(
                DeviceLogEntry(
                    at: Timestamp(nanoseconds: row.integer(1)), condition: condition, value: row.text(3) ?? ""))
        }
        return page
    }

    /// Identifiers of recorded tasks, in their order, from the one after `identifier` on.
    package func identifiers(after identifier: String?, limit: Int) throws(StoreError) -> [String] {
        let row = try Statement(
            database, "SELECT DISTINCT identifier FROM tasks WHERE identifier > ?1 ORDER BY identifier LIMIT ?2",
            what: "read tasks")
        row.bind(1, identifier ?? "")
        row.bind(2, Int64(limit))
        var identifiers: [String] = []
        while try row.next() { identifiers.append(row.text(0) ?? "") }
        return identifiers
    }
}
