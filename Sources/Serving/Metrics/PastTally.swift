import Host
import Record
import Setting
import TaskModel

/// What the record knows of the runs of earlier hosts, task by task: read once, in portions, when somebody asks. Thread: the
/// loop's.
final class PastTally {
    private(set) var tasks: [TaskIndex: RunTally] = [:]
    private(set) var isWhole = false
    private let reader: any RecordReader
    private let installed: Installation
    /// The last run of earlier hosts; nil: there is none.
    private let newest: ULID?
    /// The last run that was read; nil: none was.
    private var last: ULID?
    /// By their numbers in the record; nil: no manifest has the task any more.
    private var rows: [Int64: TaskIndex?] = [:]

    /// Runs of one portion: a part of a millisecond.
    private static let portion = 500

    init(_ reader: any RecordReader, _ installed: Installation, newest: ULID?) {
        self.reader = reader
        self.installed = installed
        self.newest = newest
    }

    /// Reads a portion.
    func step() throws(StoreError) {
        guard !isWhole else { return }
        guard let newest else { return isWhole = true }
        if rows.isEmpty { for task in installed.tasks.indices { rows[installed.tasks[task].row] = task } }
        let page = try reader.endedRuns(after: last, upTo: newest, limit: Self.portion)
        for run in page {
            guard let task = try task(ofRow: run.task) else { continue }
            tasks[task, default: RunTally()].add(run.outcome, run.origin, endedAt: run.endedAt, cpuTime: run.cpuTime)
        }
        last = page.last?.id ?? newest
        isWhole = page.count < Self.portion
    }

    /// Concrete identifiers of wildcards count for those.
    private func task(ofRow row: Int64) throws(StoreError) -> TaskIndex? {
        if let known = rows[row] { return known }
        let task = try reader.taskIdentifier(row: row).flatMap { installed.permittedTask($0) }
        rows[row] = .some(task)
        return task
    }
}
