import JSON
import Record
import TaskModel

/// What tasks used, summed up over runs that have ended.
struct UsageTally {
    private struct Sum {
        var runs: Int64 = 0
        var failures: Int64 = 0
        var wallTime = TimeSpan.zero
        var cpuTime = TimeSpan.zero
        var peakMemory: ByteCount?
    }

    /// By the task's number in the record.
    private var sums: [Int64: Sum] = [:]

    mutating func add(_ run: MeasuredRun) {
        guard let outcome = run.outcome else { return }
        var sum = sums[run.task] ?? Sum()
        sum.runs += 1
        if outcome.isFailure { sum.failures += 1 }
        sum.wallTime = sum.wallTime + (run.wallTime ?? .zero)
        sum.cpuTime = sum.cpuTime + (run.cpuTime ?? .zero)
        sum.peakMemory = [sum.peakMemory, run.peakMemory].compactMap(\.self).max()
        sums[run.task] = sum
    }

    /// The tasks' numbers, the one that used most processor time first.
    var order: [Int64] { sums.sorted { ($0.value.cpuTime, $0.key) > ($1.value.cpuTime, $1.key) }.map(\.key) }

    /// nil: the record has forgotten the task.
    func document(of task: Int64, _ reader: any RecordReader) throws(StoreError) -> JSONOutput? {
        guard let sum = sums[task], let name = try reader.taskName(row: task) else { return nil }
        return [
            "identifier": .string(name.identifier), "application": .string(name.application),
            "runs": .integer(sum.runs), "failures": .integer(sum.failures),
            "wallTime": .double(sum.wallTime.seconds), "cpuTime": .double(sum.cpuTime.seconds),
            "peakMemory": JSONOutput(sum.peakMemory?.bytes),
        ]
    }
}
