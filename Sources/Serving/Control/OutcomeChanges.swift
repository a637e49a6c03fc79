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

    /// The changes, failures first, then the newest.
    func documents(_ reader: any RecordReader) throws(StoreError) -> [JSONOutput] {
        var found: [(run: MeasuredRun, name: TaskName, before: Outcome?)] = []
        for (row, task) in tasks {
            let before = try reader.endedRuns(ofTask: row, before: task.oldest, limit: 1).first?.outcome
            guard before != task.newest.outcome, let name = try reader.taskName(row: row) else { continue }
            found.append((task.newest, name, before))
        }
        found.sort {
            ($0.run.outcome?.isFailure == true ? 1 : 0, $0.run.place) > (
                $1.run.outcome?.isFailure == true ? 1 : 0, $1.run.place
            )
        }
        var documents: [JSONOutput] = []
        for change in found {
            guard let run = try reader.runs(at: [change.run.place]).elements.first else { continue }
            documents.append([
                "identifier": .string(change.name.identifier), "application": .string(change.name.application),
                "before": JSONOutput(change.before?.name), "now": JSONOutput(change.run.outcome?.name),
                "run": .string(run.id.description), "at": JSONOutput(run.endedAt?.iso8601),
                "lastLine": JSONOutput(run.lastLine),
            ])
        }
        return documents
    }
}
