import Record
import Scheduling
import Store
import TaskModel

/// The time from opening the file to the first decisions: what a host does about requests when it starts.
enum StartMeasurement {
    static func document(_ options: Options) throws -> String {
        try fill(options)
        var scheduler = Population.scheduler(requests: options.requests)
        var recovered = 0
        let seconds = try Stopwatch.seconds {
            let store = try Store(path: options.database)
            let recovery = Recovery(
                runs: try store.unfinishedRuns(), requests: try store.interruptedRequests(), at: Population.start.time)
            recovered = recovery.record.writes.count
            try store.write(recovery.record)
            // As the host finds the task of an identity.
            let tasks = Dictionary(
                uniqueKeysWithValues: (1...Int64(options.requests)).map { ($0, TaskIndex(number: UInt32($0 - 1))) })
            try store.reader.forEachRequest { stored in
                guard let task = tasks[stored.identity] else { return }
                _ = scheduler.restore(stored, of: task)
            }
            scheduler.begin(at: Population.start)
            try store.commit()
        }
        guard scheduler.pendingCount + scheduler.decisions.count >= options.requests, recovered == runningCount else {
            throw Surprise.wrongCount
        }
        return "{\"requests\": \(options.requests), \"seconds\": \(seconds)}"
    }

    private static let runningCount = 6

    /// Leaves a file with so many requests behind, some of them running, as a host that was killed would.
    private static func fill(_ options: Options) throws {
        let store = try Store(path: options.database)
        for identity in 1...Int64(options.requests) {
            let application = "com.example.application\((identity - 1) / Int64(Population.tasksPerApplication))"
            try store.name(TaskName("\(application).task\(identity)", of: application), identity)
            let date = Population.obstacle(of: identity) == .date ? Int64(86_400) * 1_000_000_000 + identity : nil
            let request = Population.request(
                identity, submitted: Population.start.time,
                date: date.map { Timestamp(nanoseconds: Population.start.time.nanoseconds + $0) })
            try store.putRequest(request)
            if identity <= runningCount {
                try store.markRequestRunning(
                    identity: identity, submitted: request.submitted, run: TaskRequest.unknownRun)
            }
            if identity.isMultiple(of: 10_000) { try store.commit() }
        }
        try store.commit()
    }
}
