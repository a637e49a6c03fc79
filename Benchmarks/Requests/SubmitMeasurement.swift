import Record
import Scheduling
import Store
import TaskModel

/// Durable submissions per second: each through the scheduler into the store, so many in one commit.
enum SubmitMeasurement {
    static func document(_ options: Options) throws -> String {
        let store = try Store(path: options.database)
        var scheduler = Population.scheduler(requests: options.requests)
        scheduler.begin(at: Population.start)
        let submissions = options.submissions ?? options.requests
        let date = Timestamp(nanoseconds: Population.start.time.nanoseconds + 86_400_000_000_000)
        var now = Population.start
        var inBatch = 0
        let seconds = try Stopwatch.seconds {
            for identity in 1...Int64(submissions) {
                now.time.nanoseconds += 1000
                let request = Population.request(identity, submitted: now.time, date: date)
                let handle = try scheduler.submit(
                    request, of: Population.task(of: identity), at: now)
                guard scheduler.decisions.count == 1, scheduler.decisions[0] == .remember(handle),
                    let view = scheduler.request(handle)
                else { throw Surprise.decision }
                scheduler.removeDecisions()
                try store.putRequest(view.request)
                inBatch += 1
                if inBatch == options.batch {
                    try store.commit()
                    inBatch = 0
                }
            }
            try store.commit()
        }
        return """
            {"requests": \(submissions), "batch": \(options.batch), "perSecond": \(Double(submissions) / seconds)}
            """
    }
}
