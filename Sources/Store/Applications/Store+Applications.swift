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
            """
            SELECT identifier, force_quit, refresh_denied, crashes, quarantined_until, usage, quota_used, quota_end,
            fetch_interval, fetches_unanswered, notified
            FROM applications
            """, what: "read applications")
        var applications: [String: ApplicationMemory] = [:]
        while try row.next() {
            var memory = ApplicationMemory()
            memory.isForceQuit = row.integer(1) != 0
            memory.isRefreshDenied = row.integer(2) != 0
            memory.crashes = UInt32(clamping: row.integer(3))
            memory.quarantinedUntil = row.optionalInteger(4).map(Timestamp.init(nanoseconds:))
            let usage = row.real(5)
            memory.usage = usage.isFinite ? max(0, usage) : 0
            memory.quotaUsed = TimeSpan(nanoseconds: row.integer(6))
            memory.quotaEnd = row.optionalInteger(7).map(Timestamp.init(nanoseconds:))
            memory.fetchInterval = row.optionalInteger(8).map { TimeSpan(nanoseconds: max(0, $0)) }
            memory.unansweredFetches = UInt32(clamping: row.integer(9))
            memory.notifications = unsafe NotificationTimes(row.withBytes(10, unsafe Self.times))
            applications[row.text(0) ?? ""] = memory
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
