import Scheduling
import TaskModel
import Testing

/// Requests and applications as a damaged or foreign record may have them.
struct ExtremeTests {
    private static let times: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test(arguments: times, times) func `Times at the ends of the calendar are waited for or are past`(
        one: Int64, other: Int64
    ) throws {
        for kind in TaskKind.allCases {
            for origin in RequestOrigin.allCases {
                let bench = Bench()
                let schedule = bench.every(.seconds(3600))
                let task = bench.add(kind) {
                    $0.schedule = schedule
                    $0.attempts = 2
                }
                var request = bench.request(task) {
                    $0.origin = origin
                    $0.earliestBeginDate = Timestamp(nanoseconds: other)
                }
                request.submitted = Timestamp(nanoseconds: one)
                request.attempt = one == 0 ? 1 : one < 0 ? 0 : .max
                request.scheduledFor = Timestamp(nanoseconds: one)
                request.failures = other < 0 ? .max : 0
                request.notBefore = Timestamp(nanoseconds: other)
                let handle = bench.scheduler.restore(request, of: task)
                bench.begin()
                for step in 0..<3 as Range<Int64> {
                    bench.pass(.seconds(step * 86_400))
                    for pending in bench.pending() {
                        _ = bench.summary(pending)
                        _ = bench.scheduler.waits(of: pending, at: bench.now)
                    }
                    for started in bench.started { bench.end(started, .failed) }
                }
                bench.call { _ = $0.skip(identity: bench.identity(task), at: $1) }
                bench.call { _ = $0.cancel(identity: bench.identity(task), at: $1) }
                _ = bench.request(handle)
            }
        }
    }

    @Test(arguments: times) func `What is remembered of an application may be anything`(time: Int64) throws {
        var memory = ApplicationMemory()
        memory.quarantinedUntil = Timestamp(nanoseconds: time)
        memory.crashes = time < 0 ? .max : 0
        memory.quotaUsed = TimeSpan(nanoseconds: time)
        memory.quotaEnd = Timestamp(nanoseconds: time)
        memory.usage = Double(time)
        var limits = SchedulerLimits()
        limits.quota = .seconds(60)
        let bench = Bench(limits, memory: memory)
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        for _ in 0..<3 {
            bench.pass(.seconds(86_400))
            _ = bench.summary(request)
            _ = bench.scheduler.usage(of: bench.application, at: bench.now)
            for started in bench.started { bench.end(started, .crashed, cpu: .seconds(10)) }
        }
    }
}
