import Record
import TaskModel

/// What is usual for the tasks that have run since the host began: read from the record at a task's first end, and from then on in
/// memory. Thread: the loop's.
struct UsualTable {
    /// By the number in the record. A wildcard's identifiers are many: beyond `most` all are read again.
    private var tasks: [Int64: UsualRuns] = [:]
    private static let most = 4096

    /// How a run that has ended differs from those before it; from now on it is one of them.
    ///
    /// - Parameter row: of its task.
    mutating func judge(
        _ run: UsualRuns.Sample, of row: Int64, _ reader: @autoclosure () -> any RecordReader,
        hasCalendar: Bool, timesPassed: (_ after: Timestamp, _ until: Timestamp) -> Int
    ) -> [RunDifference] {
        guard let place = tasks.index(forKey: row) else {
            if tasks.count >= Self.most { tasks.removeAll(keepingCapacity: true) }
            var usual = Self.past(of: row, reader())
            defer { tasks[row] = usual }
            return usual.judge(run, hasCalendar: hasCalendar, timesPassed: timesPassed)
        }
        return tasks.values[place].judge(run, hasCalendar: hasCalendar, timesPassed: timesPassed)
    }

    /// A record that cannot be read says nothing: the host hears of that elsewhere.
    private static func past(of row: Int64, _ reader: any RecordReader) -> UsualRuns {
        var usual = UsualRuns()
        let runs = (try? reader.endedRuns(ofTask: row, before: nil, limit: UsualRuns.most)) ?? []
        for run in runs.reversed() { usual.append(UsualRuns.Sample(run)) }
        return usual
    }
}

extension UsualRuns.Sample {
    init(_ run: MeasuredRun) {
        self.init(
            startedAt: run.startedAt, countsAsBeginning: run.origin != nil && run.attempt == 1,
            hasSucceeded: run.outcome == .succeeded, wallTime: run.wallTime, peakMemory: run.peakMemory)
    }
}
