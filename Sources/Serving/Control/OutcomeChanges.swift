import JSON
import Record
import TaskModel

/// Tasks whose newest run ended otherwise than their last one before a moment.
struct OutcomeChanges {
    /// By the task's number in the record: its newest run, and its oldest one since the moment.
    private var tasks: [Int64: (newest: MeasuredRun, oldest: Int64)] = [:]

    /// - Parameter run: since the moment, newest first.
    mutating func add(_ run: MeasuredRun) {
        guard run.outcome != nil else { return }
        let newest = tasks[run.task]?.newest ?? run
        tasks[run.task] = (newest, run.place)
    }

    /// The numbers of tasks that may have changed: failures first, then the newest.
    var order: [Int64] {
        tasks.sorted { Self.rank($0.value.newest) > Self.rank($1.value.newest) }.map(\.key)
    }

    private static func rank(_ run: MeasuredRun) -> (Int, Int64) { (run.outcome?.isFailure == true ? 1 : 0, run.place) }

    /// nil: the task's runs end as before, or the record has forgotten it.
    func document(of task: Int64, _ reader: any RecordReader) throws(StoreError) -> JSONOutput? {
        guard let (newest, oldest) = tasks[task] else { return nil }
        let before = try reader.endedRuns(ofTask: task, before: oldest, limit: 1).first?.outcome
        guard before != newest.outcome, let run = try reader.runs(at: [newest.place]).elements.first else { return nil }
        return [
            "identifier": .string(run.identifier), "application": .string(run.application),
            "before": JSONOutput(before?.name), "now": JSONOutput(newest.outcome?.name),
            "run": .string(run.id.description), "at": JSONOutput(run.endedAt?.iso8601),
            "lastLine": JSONOutput(run.lastLine),
        ]
    }
}
