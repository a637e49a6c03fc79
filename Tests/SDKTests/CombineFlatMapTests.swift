import Combine
import Testing

@Suite("Combine: publishers of publishers")
struct CombineFlatMapTests {
    @Test("the values of all publishers that are made; the end after all of them")
    func flatMap() {
        let (outer, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let probe = outer.flatMap { number in inner.map { $0 * number } }.probe()
        outer.send(1)
        outer.send(10)
        inner.send(2)
        #expect(probe.values == [2, 20])
        outer.send(completion: .finished)
        inner.send(3)
        #expect(probe.values == [2, 20, 3, 30] && probe.ends.isEmpty)
        inner.send(completion: .finished)
        #expect(probe.hasFinished)
    }

    @Test("failures of either kind end it, whichever of the two can fail")
    func failures() {
        let outer = PassthroughSubject<Int, Broken>()
        let (inner, other) = (Source<Int, Broken>(), Source<Int, Never>())
        let (both, plain) = (outer.flatMap { _ in inner }.probe(), outer.flatMap { _ in other }.probe())
        outer.send(1)
        inner.send(2)
        inner.send(completion: .failure(.first))
        outer.send(completion: .failure(.second))
        #expect(both.values == [2] && both.failure == .first)
        #expect(plain.failure == .second && other.cancellations == 1)
        let typed: AnyPublisher<Int, Broken> = Just(1).flatMap { _ in Fail<Int, Broken>(error: .second) }
        #expect(typed.probe().failure == .second)
    }

    @Test("no more publishers at a time than allowed")
    func limit() {
        let outer = Source<Int, Never>()
        let inners = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
        let probe = outer.flatMap(maxPublishers: .max(1)) { inners[$0] }.probe()
        #expect(outer.requests == [.max(1)])
        outer.send(0)
        inners[0].send(5)
        #expect(outer.requests == [.max(1)])
        inners[0].send(completion: .finished)
        #expect(outer.requests == [.max(1), .max(1)])
        outer.send(1)
        inners[1].send(6)
        probe.cancel()
        inners[1].send(7)
        #expect(probe.values == [5, 6] && outer.cancellations == 1 && probe.ends.isEmpty)
        let ordered = [1, 2, 3].publisher.flatMap(maxPublishers: .max(1)) { [$0, $0 * 10].publisher }.probe()
        #expect(ordered.values == [1, 10, 2, 20, 3, 30] && ordered.hasFinished)
    }

    @Test("each publisher is asked for one value until all are wanted")
    func demand() {
        let (outer, inner) = (PassthroughSubject<Int, Never>(), Source<Int, Never>())
        let probe = outer.flatMap { _ in inner }.probe(.none)
        outer.send(1)
        #expect(inner.requests == [.max(1)])
        inner.send(4)
        #expect(probe.values.isEmpty)
        probe.request(1)
        #expect(probe.values == [4] && inner.requests == [.max(1), .max(1)])
        probe.subscriptions[0].request(.unlimited)
        #expect(inner.requests == [.max(1), .max(1), .unlimited])
        let pairs = (1...4).publisher.flatMap { [$0, -$0].publisher }.probe(.max(3))
        #expect(pairs.values.count == 3)
        pairs.request(5)
        #expect(pairs.values.count == 8 && pairs.values.reduce(0, +) == 0 && pairs.hasFinished)
    }

    @Test("the newest publisher alone, the one before is cancelled")
    func switchToLatest() {
        let outer = PassthroughSubject<Source<Int, Broken>, Broken>()
        let (first, second) = (Source<Int, Broken>(), Source<Int, Broken>())
        let probe = outer.switchToLatest().probe(.max(3))
        outer.send(first)
        first.send(1)
        outer.send(second)
        #expect(first.cancellations == 1 && second.requests == [.max(2)])
        first.send(2)
        first.send(completion: .failure(.first))
        second.send(3)
        outer.send(completion: .finished)
        #expect(probe.values == [1, 3] && probe.ends.isEmpty)
        second.send(completion: .finished)
        #expect(probe.hasFinished)
    }

    @Test("switching ends with the failure of either, and cancels the other")
    func switchFails() {
        let outer = Source<AnyPublisher<Int, Broken>, Broken>()
        let inner = Source<Int, Broken>()
        let probe = outer.switchToLatest().probe()
        #expect(outer.requests == [.unlimited])
        outer.send(inner.eraseToAnyPublisher())
        inner.send(completion: .failure(.second))
        #expect(probe.failure == .second && outer.cancellations == 1)
        let other = outer.switchToLatest().probe()
        outer.send(inner.eraseToAnyPublisher())
        outer.send(completion: .failure(.first))
        #expect(other.failure == .first && inner.cancellations == 1)
        let cancelled = outer.switchToLatest().probe()
        outer.send(inner.eraseToAnyPublisher())
        cancelled.cancel()
        #expect(outer.cancellations == 2 && inner.cancellations == 2 && cancelled.ends.isEmpty)
        let plain = [Just(1), Just(2)].publisher.switchToLatest().probe()
        #expect(plain.values == [1, 2] && plain.hasFinished)
        #expect(Just(Fail<Int, Broken>(error: .first)).switchToLatest().probe().failure == .first)
        #expect(Result<Just<Int>, Broken>.success(Just(3)).publisher.switchToLatest().probe().values == [3])
    }
}
