import Combine
import Foundation
import Testing

@Suite("Combine: publishers that make values")
struct CombineSourceTests {
    @Test("Just gives its value when it is asked, then finishes")
    func just() {
        let probe = Just(7).probe(.none)
        #expect(probe.values.isEmpty && probe.ends.isEmpty && probe.subscriptions.count == 1)
        probe.request(1)
        probe.request(1)
        #expect(probe.values == [7] && probe.hasFinished)
        let cancelled = Just(7).probe(.none)
        cancelled.cancel()
        cancelled.request(1)
        #expect(cancelled.values.isEmpty && cancelled.ends.isEmpty)
        #expect(Just(1) == Just(1))
    }

    @Test("Empty finishes at once or never, Fail fails without being asked")
    func ends() {
        #expect(Empty<Int, Broken>().probe(.none).hasFinished)
        #expect(Empty<Int, Broken>(completeImmediately: false).probe().ends.isEmpty)
        #expect(Fail<Int, Broken>(error: .first).probe(.none).failure == .first)
        #expect(Fail(outputType: Int.self, failure: Broken.second).probe().failure == .second)
    }

    @Test("the elements of a sequence come as they are asked for, the end with the last one")
    func sequence() {
        let probe = [1, 2, 3].publisher.probe(.max(1))
        #expect(probe.values == [1] && probe.ends.isEmpty)
        probe.request(1)
        #expect(probe.values == [1, 2] && probe.ends.isEmpty)
        probe.request(1)
        #expect(probe.values == [1, 2, 3] && probe.hasFinished)
        #expect([Int]().publisher.probe(.none).hasFinished)
        // Endless, and asked for one more by each value, without a deep stack.
        var made = 0
        let endless = sequenceOfNumbers { made += 1 }.publisher.probe(.max(1))
        #expect(endless.values == [0] && made == 2)
        endless.cancel()
        endless.request(5)
        #expect(endless.values == [0])
        let many = (0..<100_000).publisher.probe(.max(1), more: .max(1))
        #expect(many.values.count == 100_000 && many.hasFinished)
    }

    private func sequenceOfNumbers(_ made: @escaping () -> Void) -> AnySequence<Int> {
        AnySequence {
            var next = 0
            return AnyIterator {
                made()
                defer { next += 1 }
                return next
            }
        }
    }

    @Test("a sequence stops in the middle when its subscriber cancels")
    func cancelInside() {
        let probe = Probe<Int, Never>()
        probe.onValue = { [unowned probe] value in if value == 2 { probe.cancel() } }
        (1...5).publisher.subscribe(probe)
        #expect(probe.values == [1, 2] && probe.ends.isEmpty)
    }

    @Test("optionals and results are publishers")
    func optionals() {
        #expect(Optional(3).publisher.probe().values == [3])
        let nothing: Int? = nil
        #expect(nothing.publisher.probe().hasFinished)
        let good: Result<Int, Broken> = .success(1)
        let bad: Result<Int, Broken> = .failure(.first)
        #expect(good.publisher.probe().values == [1] && good.publisher.probe().hasFinished)
        #expect(bad.publisher.probe(.none).failure == .first)
        #expect(Result<Int, Broken>.Publisher(2).probe().values == [2])
    }

    @Test("a deferred publisher is made for each subscriber")
    func deferred() {
        var made = 0
        let publisher = Deferred { () -> Just<Int> in
            made += 1
            return Just(made)
        }
        #expect(made == 0)
        #expect(publisher.probe().values == [1] && publisher.probe().values == [2])
    }

    @Test("a record sends what was recorded")
    func record() {
        let record = Record<Int, Broken> { recording in
            recording.receive(1)
            recording.receive(2)
            recording.receive(completion: .failure(.second))
        }
        let probe = record.probe()
        #expect(probe.values == [1, 2] && probe.failure == .second)
        #expect(Record<Int, Never>(output: [4], completion: .finished).probe().hasFinished)
    }

    @Test("a future works once, at once; all get its result, when they ask")
    func future() {
        var (started, promise) = (0, nil as Future<Int, Broken>.Promise?)
        let future = Future<Int, Broken> {
            started += 1
            promise = $0
        }
        #expect(started == 1)
        let (early, slow, gone) = (future.probe(), future.probe(.none), future.probe())
        gone.cancel()
        #expect(early.values.isEmpty)
        promise?(.success(5))
        promise?(.success(6))
        promise?(.failure(.first))
        #expect(early.values == [5] && early.hasFinished && gone.values.isEmpty && gone.ends.isEmpty)
        #expect(slow.values.isEmpty && slow.ends.isEmpty)
        slow.request(1)
        #expect(slow.values == [5] && slow.hasFinished)
        #expect(future.probe().values == [5] && started == 1)
        let failed = Future<Int, Broken> { $0(.failure(.second)) }
        #expect(failed.probe(.none).failure == .second)
    }

    @Test("a future can be awaited")
    func awaitedFuture() async throws {
        let value = await Future<Int, Never> { promise in
            let promise = Sent(promise)
            DispatchQueue.global().async { promise.value(.success(3)) }
        }.value
        #expect(value == 3)
        await #expect(throws: Broken.first) { try await Future<Int, Broken> { $0(.failure(.first)) }.value }
    }

    private struct Sent<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    @Test("what subscribes to a subject that has ended gets the end alone")
    func endedSubject() {
        let subject = CurrentValueSubject<Int, Broken>(1)
        subject.send(completion: .failure(.first))
        let probe = subject.probe()
        #expect(probe.values.isEmpty && probe.failure == .first)
    }

    @Test("threads that send to one subject take turns at its subscriber")
    func threads() {
        let subject = PassthroughSubject<Int, Never>()
        // Neither is guarded: the sum is right because no two threads are in the closure.
        var (sum, isInside, collisions) = (0, false, 0)
        let cancellable = subject.sink { value in
            if isInside { collisions += 1 }
            isInside = true
            sum += value
            isInside = false
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in for _ in 0..<1_000 { subject.send(1) } }
        #expect(sum == 8_000 && collisions == 0)
        cancellable.cancel()
    }

    @Test("demand is added and never negative")
    func demand() {
        let demand = Subscribers.Demand.max(2)
        #expect(demand + 3 == .max(5) && demand - .max(3) == .none && demand * 4 == .max(8))
        #expect(demand + .unlimited == .unlimited && .unlimited - .max(1) == .unlimited)
        #expect(demand > 1 && demand < 3 && demand == 2 && demand < .unlimited && Subscribers.Demand.unlimited > 9)
        #expect("\(demand) \(Subscribers.Demand.unlimited)" == "max(2) unlimited")
    }
}
