import Combine
import Foundation
import Testing

@Suite("Combine: failures")
struct CombineFailureTests {
    private func odd(_ value: Int) throws -> Int {
        guard value % 2 == 1 else { throw Broken.first }
        return value
    }

    @Test("what a closure throws is the failure, and cancels the upstream")
    func tryMap() {
        let source = Source<Int, Broken>()
        let probe = source.tryMap { try odd($0) * 2 }.probe(.max(5))
        #expect(source.requests == [.max(5)])
        source.send(1)
        source.send(2)
        source.send(3)
        source.send(completion: .finished)
        #expect(probe.values == [2] && probe.failure as? Broken == .first && source.cancellations == 1)
        let failing = source.tryMap { $0 }.probe()
        source.send(completion: .failure(.second))
        #expect(failing.failure as? Broken == .second)
        let cancelled = source.tryMap { $0 }.probe()
        cancelled.cancel()
        source.send(1)
        #expect(cancelled.values.isEmpty && source.cancellations == 2)
    }

    @Test("a value that is left out makes room for another")
    func tryFilter() {
        let source = Source<Int, Never>()
        let probe = source.tryFilter { try odd($0) > 2 }.probe(.max(1))
        #expect(source.send(1) == .max(1))
        #expect(source.send(3) == .none)
        source.send(4)
        #expect(probe.values == [3] && probe.failure is Broken)
        #expect([1, 3].publisher.tryCompactMap { try odd($0) > 1 ? "\($0)" : nil }.probe().values == ["3"])
        #expect([1, 1, 3].publisher.tryRemoveDuplicates(by: ==).probe().values == [1, 3])
    }

    @Test("other operators with closures that throw")
    func others() {
        let numbers = [1, 3, 5, 6].publisher
        let scan = numbers.tryScan(0) { try $0 + odd($1) }.probe()
        #expect(scan.values == [1, 4, 9] && scan.failure is Broken)
        #expect(numbers.tryReduce(0) { try $0 + odd($1) }.probe().failure is Broken)
        #expect(numbers.tryReduce(0) { $0 + $1 }.probe().values == [15])
        #expect(numbers.tryFirst { try odd($0) == 3 }.probe().values == [3])
        #expect(numbers.tryLast { try odd($0) == 3 }.probe().failure is Broken)
        #expect(numbers.tryPrefix { try odd($0) < 5 }.probe().values == [1, 3])
        #expect(numbers.tryDrop { try odd($0) < 5 }.probe().values == [5, 6])
        #expect(numbers.tryContains { try odd($0) == 5 }.probe().values == [true])
        #expect(numbers.tryAllSatisfy { try odd($0) > 0 }.probe().failure is Broken)
    }

    @Test("another publisher goes on for a failed one, with what is still wanted")
    func catches() {
        let (first, second) = (Source<Int, Broken>(), Source<Int, Never>())
        let probe = first.catch { error in second.map { error == .first ? $0 : -$0 } }.probe(.max(3))
        first.send(1)
        first.send(completion: .failure(.first))
        #expect(second.requests == [.max(2)])
        second.send(2)
        second.send(completion: .finished)
        #expect(probe.values == [1, 2] && probe.hasFinished)
        let unused = Just(1).setFailureType(to: Broken.self).catch { _ in second }.probe()
        #expect(unused.values == [1] && unused.hasFinished && second.lines.count == 1)
        let cancelled = first.catch { _ in second }.probe()
        first.send(completion: .failure(.second))
        cancelled.cancel()
        #expect(second.cancellations == 1)
        let thrown = first.tryCatch { _ -> Just<Int> in throw Broken.second }.probe()
        first.send(completion: .failure(.first))
        #expect(thrown.failure as? Broken == .second)
        #expect(Fail<Int, Broken>(error: .first).tryCatch { _ in Just(4) }.probe().values == [4])
    }

    @Test("replacements of failures, of nothing and of nil")
    func replacements() {
        let source = Source<Int, Broken>()
        let probe = source.replaceError(with: 9).probe(.max(1))
        source.send(1)
        source.send(completion: .failure(.first))
        #expect(probe.values == [1] && probe.ends.isEmpty)
        probe.request(1)
        #expect(probe.values == [1, 9] && probe.hasFinished)
        let empty = Empty<Int, Broken>().replaceEmpty(with: 3).probe(.none)
        #expect(empty.values.isEmpty && empty.ends.isEmpty)
        empty.request(1)
        #expect(empty.values == [3] && empty.hasFinished)
        #expect([1].publisher.replaceEmpty(with: 3).probe().values == [1])
        #expect(Fail<Int, Broken>(error: .first).replaceEmpty(with: 3).probe().failure == .first)
        #expect([1, nil].publisher.replaceNil(with: 0).probe().values == [1, 0])
    }

    @Test("a failed upstream is attached again, a number of times")
    func retry() {
        var attempts = 0
        let publisher = Deferred { () -> AnyPublisher<Int, Broken> in
            attempts += 1
            return attempts < 3
                ? Just(attempts).setFailureType(to: Broken.self).append(Fail(error: .first)).eraseToAnyPublisher()
                : Just(100).setFailureType(to: Broken.self).eraseToAnyPublisher()
        }
        let probe = publisher.retry(5).probe()
        #expect(probe.values == [1, 2, 100] && probe.hasFinished && attempts == 3)
        attempts = 0
        let poor = publisher.retry(1).probe()
        #expect(poor.values == [1, 2] && poor.failure == .first && attempts == 2)
        let source = Source<Int, Broken>()
        let waiting = source.retry(1).probe(.max(2))
        source.send(1)
        source.send(completion: .failure(.first))
        #expect(source.lines.count == 2 && source.requests == [.max(1)])
        waiting.cancel()
        #expect(source.lines.map(\.cancellations) == [0, 1])
    }

    @Test("failures have other types")
    func types() {
        struct Other: Error, Equatable { var inner: Broken }
        #expect(Fail<Int, Broken>(error: .first).mapError(Other.init).probe().failure == Other(inner: .first))
        let typed = Just(1).setFailureType(to: Broken.self).probe(.max(1))
        #expect(typed.values == [1] && typed.hasFinished)
        #expect(Result<Int, Broken>.success(1).publisher.assertNoFailure().probe().values == [1])
    }

    private struct Item: Codable, Equatable { var name: String }

    @Test("values are encoded and decoded")
    func coding() throws {
        let items = [Item(name: "a"), Item(name: "b")]
        let probe = items.publisher.encode(encoder: JSONEncoder()).decode(type: Item.self, decoder: JSONDecoder())
            .probe()
        #expect(probe.values == items && probe.hasFinished)
        let broken = Just(Data("{".utf8)).decode(type: Item.self, decoder: JSONDecoder()).probe()
        #expect(broken.values.isEmpty && broken.failure is DecodingError)
    }
}
