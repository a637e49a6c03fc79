import Combine
import Foundation
import Testing

@Suite("Combine: time")
struct CombineTimeTests {
    private let time = PlayedTime()
    private let source = Source<Int, Broken>()

    @Test("a value comes when it has been quiet, where the scheduler runs it")
    func debounce() {
        let probe = source.debounce(for: .milliseconds(300), scheduler: time).probe(.max(2))
        #expect(source.requests == [.unlimited])
        source.send(1)
        time.pass(200)
        source.send(2)
        time.pass(299)
        #expect(probe.values.isEmpty)
        time.pass(1)
        #expect(probe.values == [2])
        source.send(3)
        time.pass(300)
        source.send(4)
        time.pass(300)
        // The fourth was not asked for.
        #expect(probe.values == [2, 3])
        probe.request(1)
        time.pass(300)
        #expect(probe.values == [2, 3])
        source.send(5)
        time.pass(100)
        source.send(completion: .finished)
        #expect(probe.ends.isEmpty)
        time.pass(1_000)
        // The end drops what waits.
        #expect(probe.values == [2, 3] && probe.hasFinished)
    }

    @Test("debouncing that is cancelled sends nothing; its failure is passed on")
    func debounceEnds() {
        let probe = source.debounce(for: 1, scheduler: time).probe()
        source.send(1)
        probe.cancel()
        time.pass(10)
        #expect(probe.values.isEmpty && source.cancellations == 1 && time.isIdle)
        let failing = source.debounce(for: 1, scheduler: time).probe()
        source.send(completion: .failure(.first))
        time.pass()
        #expect(failing.failure == .first)
    }

    @Test("at most one value in a time: the newest or the first")
    func throttle() {
        for isLatest in [true, false] {
            let (time, source) = (PlayedTime(), Source<Int, Broken>())
            let probe = source.throttle(for: .seconds(1), scheduler: time, latest: isLatest).probe()
            source.send(1)
            time.pass()
            #expect(probe.values == [1])
            for number in 2...4 { source.send(number) }
            time.pass(999)
            #expect(probe.values == [1])
            time.pass(1)
            #expect(probe.values == [1, isLatest ? 4 : 2])
            time.pass(5_000)
            source.send(5)
            time.pass()
            #expect(probe.values.last == 5)
            source.send(6)
            source.send(completion: .finished)
            #expect(probe.ends.isEmpty)
            time.pass(1_000)
            #expect(probe.values.last == 6 && probe.hasFinished)
        }
    }

    @Test("throttled values that nobody asked for are dropped, and the end without one comes at once")
    func throttleDemand() {
        let probe = source.throttle(for: 10, scheduler: time, latest: true).probe(.max(1))
        source.send(1)
        time.pass(100)
        source.send(2)
        time.pass(100)
        #expect(probe.values == [1])
        source.send(completion: .failure(.second))
        time.pass()
        #expect(probe.failure == .second)
        let cancelled = source.throttle(for: 10, scheduler: time, latest: true).probe()
        source.send(1)
        cancelled.cancel()
        time.pass(100)
        #expect(cancelled.values.isEmpty && source.cancellations == 1)
    }

    @Test("values and the end later, in order; what was cancelled does not come")
    func delay() {
        let probe = source.delay(for: .milliseconds(50), scheduler: time).probe(.max(1), more: .max(1))
        #expect(source.requests == [.max(1)])
        source.send(1)
        time.pass(20)
        source.send(2)
        time.pass(29)
        #expect(probe.values.isEmpty)
        time.pass(1)
        #expect(probe.values == [1])
        #expect(source.requests == [.max(1), .max(1)])
        source.send(completion: .finished)
        time.pass(20)
        #expect(probe.values == [1, 2] && probe.ends.isEmpty)
        time.pass(30)
        #expect(probe.hasFinished)
        let cancelled = source.delay(for: 5, scheduler: time).probe()
        source.send(1)
        cancelled.cancel()
        time.pass(5)
        #expect(cancelled.values.isEmpty && source.cancellations == 1)
    }

    @Test("an upstream that is quiet for too long is cancelled")
    func timeout() {
        let probe = source.timeout(.seconds(2), scheduler: time, customError: { .second }).probe(.max(3))
        #expect(source.requests == [.max(3)])
        time.pass(1_999)
        source.send(1)
        time.pass(1_999)
        #expect(probe.values == [1] && probe.ends.isEmpty)
        time.pass(1)
        #expect(probe.failure == .second && source.cancellations == 1)
        let plain = source.timeout(.seconds(2), scheduler: time).probe()
        time.pass(2_000)
        #expect(plain.hasFinished)
        let ended = source.timeout(.seconds(2), scheduler: time).probe()
        source.send(2)
        source.send(completion: .failure(.first))
        time.pass(5_000)
        #expect(ended.values == [2] && ended.failure == .first)
    }

    @Test("what is received elsewhere comes in order, and not after it was cancelled")
    func receive() {
        let probe = source.receive(on: time).probe(.max(2))
        source.send(1)
        source.send(2)
        source.send(completion: .finished)
        #expect(probe.values.isEmpty && source.requests == [.max(2)])
        time.pass()
        #expect(probe.values == [1, 2] && probe.hasFinished)
        let cancelled = source.receive(on: time).probe()
        source.send(1)
        cancelled.cancel()
        time.pass()
        #expect(cancelled.values.isEmpty)
    }

    @Test("subscribing, asking and cancelling elsewhere")
    func subscribe() {
        let probe = source.subscribe(on: time).probe(.max(1))
        #expect(source.lines.isEmpty)
        time.pass()
        #expect(source.requests == [.max(1)])
        source.send(1)
        #expect(probe.values == [1])
        probe.cancel()
        #expect(source.cancellations == 0)
        time.pass()
        #expect(source.cancellations == 1)
    }

    @Test("the schedulers' times are lengths and points")
    func strides() {
        typealias Queue = DispatchQueue.SchedulerTimeType
        let half: Queue.Stride = 0.5
        #expect(
            half == .milliseconds(500) && Queue.Stride(.seconds(2)) == 2
                && half.timeInterval == .nanoseconds(500_000_000))
        #expect(Queue.Stride.seconds(Int.max) == Queue.Stride(.never) && half * .nanoseconds(2) == .seconds(1))
        let start = Queue(DispatchTime(uptimeNanoseconds: 5_000))
        #expect(start.advanced(by: .microseconds(3)).dispatchTime.uptimeNanoseconds == 8_000)
        #expect(start.distance(to: start.advanced(by: -0.000002)) == .microseconds(-2))
        let date = RunLoop.SchedulerTimeType(Date(timeIntervalSince1970: 10))
        #expect(date.advanced(by: .milliseconds(500)).date.timeIntervalSince1970 == 10.5)
        #expect(date.distance(to: RunLoop.SchedulerTimeType(Date(timeIntervalSince1970: 8))) == -2)
        let operation = OperationQueue.SchedulerTimeType(Date(timeIntervalSince1970: 0))
        #expect(operation.advanced(by: 1.5).date.timeIntervalSince1970 == 1.5)
    }

    @Test("queues run closures at times that have come")
    func queues() async {
        let (queue, operations) = (DispatchQueue(label: "org.taskhost.combine.time"), OperationQueue())
        await withCheckedContinuation { done in
            queue.schedule(after: queue.now.advanced(by: -1)) {
                operations.schedule(after: operations.now) { done.resume() }
            }
        }
        await withCheckedContinuation { done in
            var count = 0
            var cancellable: (any Cancellable)?
            // The timer's closure waits for its end, and finds what to cancel.
            queue.sync {
                cancellable = queue.schedule(after: queue.now, interval: .nanoseconds(1)) {
                    count += 1
                    guard count == 3 else { return }
                    cancellable?.cancel()
                    done.resume()
                }
            }
        }
    }

    @Test("a run loop runs closures and timers until they are cancelled")
    func runLoop() {
        let loop = RunLoop.current
        var (seen, ticks) = ([String](), 0)
        loop.schedule { seen.append("now") }
        loop.schedule(after: loop.now) { seen.append("after") }
        let timer = Timer.publish(every: 0.001, on: loop, in: .default)
        let (probe, cancelled) = (timer.probe(.max(1)), timer.autoconnect().prefix(2).sink { _ in ticks += 1 })
        var again = 0
        let repeating = loop.schedule(after: loop.now, interval: 0.001) { again += 1 }
        while seen.count < 2 || ticks < 2 || again < 2 {
            _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
        }
        #expect(Set(seen) == ["now", "after"] && probe.values.count == 1)
        cancelled.cancel()
        repeating.cancel()
        let count = again
        _ = loop.run(mode: .default, before: Date())
        #expect(again == count)
    }
}
