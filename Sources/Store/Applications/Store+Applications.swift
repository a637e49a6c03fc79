package import Record
package import TaskModel

// The stored state of applications.
extension Store {
    /// Stores the application's present state. Allocates nothing, unless the application ever had a notification.
    ///
    /// - Parameter row: from `RecordNames`.
    package func putApplication(_ row: Int64, _ memory: ApplicationMemory) throws(StoreError) {
        try beginWriting()
        world.putApplication.bind(
            values: row, memory.isForceQuit, memory.isRefreshDenied, memory.crashes, memory.quarantinedUntil,
            memory.usage.isFinite ? memory.usage : 0, memory.quotaUsed, memory.quotaEnd, memory.fetchInterval,
            memory.unansweredFetches)
        if memory.notifications.isEmpty {
            world.putApplication.bindNull(11)
        } else {
            unsafe memory.notifications.list.map(\.nanoseconds.littleEndian).withUnsafeBytes {
                unsafe world.putApplication.bind(11, copying: $0)
            }
        }
        try write(world.putApplication)
        guard world.putApplication.changes == 1 else {
            throw contradiction("record an application", because: "application \(row) is unknown")
        }
    }
}

extension History {
    /// The stored state of applications, by identifier.
    package func applications() throws(StoreError) -> [String: ApplicationMemory] {
        let row = try Statement(
            database,
            "SELECT \(ApplicationColumn.list) FROM applications", what: "read applications")
        typealias Column = ApplicationColumn
        var applications: [String: ApplicationMemory] = [:]
        while try row.next() {
            var memory = ApplicationMemory()
            memory.isForceQuit = row.integer(Column.forceQuit) != 0
            memory.isRefreshDenied = row.integer(Column.refreshDenied) != 0
            memory.crashes = UInt32(clamping: row.integer(Column.crashes))
            memory.quarantinedUntil = row.optionalInteger(Column.quarantinedUntil).map(Timestamp.init(nanoseconds:))
            let usage = row.real(Column.usage)
            memory.usage = usage.isFinite ? max(0, usage) : 0
            memory.quotaUsed = TimeSpan(nanoseconds: row.integer(Column.quotaUsed))
            memory.quotaEnd = row.optionalInteger(Column.quotaEnd).map(Timestamp.init(nanoseconds:))
            memory.fetchInterval = row.optionalInteger(Column.fetchInterval).map { TimeSpan(nanoseconds: max(0, $0)) }
            memory.unansweredFetches = UInt32(clamping: row.integer(Column.fetchesUnanswered))
            memory.notifications = unsafe NotificationTimes(row.withBytes(Column.notified, unsafe Self.times))
            applications[row.text(Column.identifier) ?? ""] = memory
        }
        return applications
    }

    /// Eight bytes each.
    private static func times(_ bytes: UnsafeRawBufferPointer) -> [Timestamp] {
        stride(from: 0, to: bytes.count - 7, by: 8).map { place in
            unsafe Timestamp(
                nanoseconds: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)))
        }
    }
}

/// Columns of an application's state.
enum ApplicationColumn: Int32, RowColumn {
    case identifier, forceQuit, refreshDenied, crashes, quarantinedUntil, usage, quotaUsed, quotaEnd
    case fetchInterval, fetchesUnanswered, notified
}
