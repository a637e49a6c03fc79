import Combine
import Testing

@Suite("Combine: choosing and adding up")
struct CombineSelectTests {
    @Test("the first value cancels the upstream, before it is passed on")
    func first() {
        let source = Source<Int, Broken>()
        let probe = source.first { $0 > 1 }.probe(.max(1))
        #expect(source.send(1) == .max(1))
        probe.onValue = { [unowned source] _ in #expect(source.cancellations == 1) }
        source.send(2)
        source.send(3)
        source.send(completion: .failure(.first))
        #expect(probe.values == [2] && probe.hasFinished && source.cancellations == 1)
        #expect([4, 5].publisher.first().probe().values == [4])
        let none = [1].publisher.first { $0 > 1 }.probe()
        #expect(none.values.isEmpty && none.hasFinished)
    }

    @Test("so many values, or those until one")
    func prefix() {
        let source = Source<Int, Never>()
        let probe = source.prefix(2).probe()
        for number in 1...3 { source.send(number) }
        #expect(probe.values == [1, 2] && probe.hasFinished && source.cancellations == 1)
        #expect(source.prefix(0).probe().hasFinished && source.lines.count == 1)
        let small = [1, 2, 3, 1].publisher.prefix { $0 < 3 }.probe()
        #expect(small.values == [1, 2] && small.hasFinished)
        let (values, stop) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Broken>())
        let until = values.prefix(untilOutputFrom: stop).probe()
        values.send(1)
        stop.send()
        values.send(2)
        #expect(until.values == [1] && until.hasFinished)
    }

    @Test("values after the first ones")
    func drop() {
        let probe = [1, 2, 3, 1].publisher.drop { $0 < 3 }.probe(.max(1))
        #expect(probe.values == [3])
        probe.request(1)
        #expect(probe.values == [3, 1] && probe.hasFinished)
        let (values, start) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let after = values.drop(untilOutputFrom: start).probe()
        values.send(1)
        start.send(0)
        start.send(completion: .finished)
        values.send(2)
        #expect(after.values == [2] && after.ends.isEmpty)
        #expect(Just(1).drop(untilOutputFrom: Empty<Int, Never>()).probe().hasFinished)
    }

    @Test("values by their numbers")
    func output() {
        let letters = ["a", "b", "c", "d"].publisher
        #expect(letters.output(at: 2).probe().values == ["c"])
        #expect(letters.output(in: 1..<3).probe().values == ["b", "c"])
        #expect(letters.output(in: 2...).probe().values == ["c", "d"])
        #expect(letters.output(in: ...0).probe().hasFinished)
        #expect(letters.output(at: 7).probe().values.isEmpty)
    }

    @Test("results of all values come at the end, when they are asked for")
    func reduce() {
        let source = Source<Int, Broken>()
        let probe = source.reduce(0, +).probe(.none)
        #expect(source.requests == [.unlimited])
        source.send(1)
        source.send(2)
        source.send(completion: .finished)
        #expect(probe.values.isEmpty && probe.ends.isEmpty)
        probe.request(1)
        #expect(probe.values == [3] && probe.hasFinished)
        let failing = source.collect().probe()
        source.send(1)
        source.send(completion: .failure(.first))
        #expect(failing.values.isEmpty && failing.failure == .first)
        let cancelled = source.count().probe()
        cancelled.cancel()
        source.send(completion: .finished)
        #expect(cancelled.ends.isEmpty && source.cancellations == 1)
    }

    @Test("counts, lists and comparisons")
    func all() {
        let numbers = [3, 1, 2].publisher
        #expect(numbers.collect().probe().values == [[3, 1, 2]] && numbers.count().probe().values == [3])
        #expect(numbers.last().probe().values == [2] && numbers.last { $0 > 2 }.probe().values == [3])
        #expect(numbers.max().probe().values == [3] && numbers.min().probe().values == [1])
        #expect(numbers.scan(0, +).probe(.max(2)).values == [3, 4])
        #expect(numbers.ignoreOutput().probe(.none).hasFinished)
        #expect(numbers.contains(9).probe().values == [false] && numbers.allSatisfy { $0 > 0 }.probe().values == [true])
        let empty = Empty<Int, Never>()
        #expect(empty.last().probe(.none).hasFinished && empty.collect().probe().values == [[]])
        #expect(empty.max().probe().hasFinished && empty.contains(1).probe().values == [false])
    }

    @Test("an answer that is known early cancels the upstream")
    func early() {
        let source = Source<Int, Never>()
        let (one, all) = (source.contains(2).probe(), Source<Int, Never>())
        source.send(1)
        source.send(2)
        #expect(one.values == [true] && one.hasFinished && source.cancellations == 1)
        let satisfied = all.allSatisfy { $0 < 2 }.probe(.none)
        all.send(2)
        #expect(all.cancellations == 1 && satisfied.values.isEmpty && satisfied.ends.isEmpty)
        satisfied.request(1)
        #expect(satisfied.values == [false] && satisfied.hasFinished)
    }

    @Test("arrays of so many values")
    func groups() {
        let source = Source<Int, Broken>()
        let probe = source.collect(2).probe(.max(2))
        #expect(source.requests == [.max(4)])
        for number in 1...3 { source.send(number) }
        #expect(probe.values == [[1, 2]])
        source.send(completion: .finished)
        #expect(probe.values == [[1, 2], [3]] && probe.hasFinished)
        let failing = source.collect(2).probe()
        source.send(1)
        source.send(completion: .failure(.second))
        #expect(failing.values.isEmpty && failing.failure == .second)
        #expect((1...4).publisher.collect(2).probe().values == [[1, 2], [3, 4]])
    }
}
