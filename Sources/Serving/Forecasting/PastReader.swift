import Host
import Record
import Setting
import TaskModel

/// Reads the device's recorded values between two times, some rows at a time.
struct PastReader {
    /// Rows of one step: about half a millisecond.
    private static let portion = 50

    private let start: Timestamp
    private let end: Timestamp
    private let isServed: Bool
    private let lastTrace: Timestamp?
    /// Observations of a verb's own host from here on hold for that moment alone.
    private let opened: Timestamp
    /// Newest first.
    private var journal: [JournalEntry] = []
    private var log: [DeviceLogEntry] = []
    /// Conditions whose last value from before the start is known.
    private var old: Set<ConditionName> = []
    private var journalBefore: Int64?
    private var logBefore: Int64?
    private var isJournalRead = false
    private var isLogRead = false

    /// - Parameter opened: when the host began to answer.
    init(_ host: Host, opened: Timestamp, from start: Timestamp, to end: Timestamp) {
        self.start = start
        isServed = host.place.schedules
        self.end = end
        lastTrace = isServed ? nil : host.keeper.newestAtOpening
        self.opened = isServed ? end + .seconds(1) : opened
    }

    /// Does a little; true: all is read.
    mutating func step(_ record: any RecordReader) throws(StoreError) -> Bool {
        if !isJournalRead {
            let page = try record.journal(before: journalBefore, limit: Self.portion)
            journal += page.elements.filter { $0.at < opened }
            journalBefore = page.next
            isJournalRead = page.next == nil
        } else if !isLogRead {
            let page = try record.deviceLog(before: logBefore, limit: Self.portion)
            for entry in page.elements { take(entry) }
            logBefore = page.next
            isLogRead = page.next == nil || old.count == ConditionName.ofMachine.count
        }
        return isJournalRead && isLogRead
    }

    private mutating func take(_ entry: DeviceLogEntry) {
        guard entry.at < opened else { return }
        if entry.at >= start {
            if entry.at <= end { log.append(entry) }
        } else if old.insert(entry.condition).inserted {
            log.append(entry)
        }
    }

    /// The result.
    var past: DevicePast {
        DevicePast(
            log: log.reversed(), journal: journal.reversed(), lastTrace: lastTrace, isServed: isServed, from: start,
            to: end)
    }
}
