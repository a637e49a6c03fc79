import Combine
import Foundation
import Testing

@Suite("Combine: several publishers")
struct CombineSeveralTests {
    private typealias Subject = PassthroughSubject<Int, Broken>

    @Test("the newest values of two, three and four, once all have one")
    func combineLatest() {
        let (a, b) = (Subject(), PassthroughSubject<String, Broken>())
        let probe = a.combineLatest(b) { "\($0)\($1)" }.probe()
        a.send(1)
        a.send(2)
        #expect(probe.values.isEmpty)
        b.send("x")
        b.send("y")
        a.send(3)
        #expect(probe.values == ["2x", "2y", "3y"])
        a.send(completion: .finished)
        b.send("z")
        #expect(probe.values.last == "3z" && probe.ends.isEmpty)
        b.send(completion: .finished)
        #expect(probe.hasFinished)
        let three = Publishers.CombineLatest3(Just(1), Just(2), Just(3)).probe()
        #expect(three.values.map { [$0.0, $0.1, $0.2] } == [[1, 2, 3]] && three.hasFinished)
        let four = Just(1).combineLatest(Just(2), Just(3), [4, 5].publisher) { $0 + $1 + $2 + $3 }.probe()
        #expect(four.values == [10, 11] && four.hasFinished)
    }

    @Test("a failure of one is that of all; the others are cancelled")
    func combineLatestFails() {
        let (a, b) = (Subject(), Source<Int, Broken>())
        let probe = a.combineLatest(b).probe()
        a.send(completion: .failure(.second))
        b.send(completion: .finished)
        #expect(probe.failure == .second && b.cancellations == 1)
        let other = a.combineLatest(b).probe()
        #expect(other.failure == .second)
    }

    @Test("of newest values only what was asked for; of the rest the last one is kept")
    func combineLatestDemand() {
        let (a, b) = (Source<Int, Never>(), Source<Int, Never>())
        let probe = a.combineLatest(b) { $0 * 10 + $1 }.probe(.max(1))
        #expect(a.requests == [.max(1)] && b.requests == [.max(1)])
        a.send(1)
        b.send(1)
        b.send(2)
        b.send(3)
        #expect(probe.values == [11])
        probe.request(2)
        #expect(probe.values == [11, 13])
        probe.cancel()
        a.send(2)
        #expect(probe.values == [11, 13] && a.cancellations == 1 && b.cancellations == 1)
    }

    @Test("pairs in step; they end when one that has ended has none left")
    func zip() {
        let (a, b) = (Subject(), PassthroughSubject<String, Broken>())
        let probe = a.zip(b) { "\($0)\($1)" }.probe()
        for number in 1...3 { a.send(number) }
        b.send("x")
        #expect(probe.values == ["1x"])
        a.send(completion: .finished)
        b.send("y")
        #expect(probe.values == ["1x", "2y"] && probe.ends.isEmpty)
        b.send("z")
        #expect(probe.values.last == "3z" && probe.hasFinished)
        let list = Publishers.Zip([1, 2, 3].publisher, ["a", "b"].publisher).probe()
        #expect(list.values.map { "\($0.0)\($0.1)" } == ["1a", "2b"] && list.hasFinished)
        let four = [1, 2].publisher.zip([3, 4].publisher, [5, 6].publisher, [7, 8].publisher) { $0 + $1 + $2 + $3 }
        #expect(four.probe().values == [16, 20])
        #expect(Publishers.Zip3(Just(1), Just("a"), Empty<Int, Never>()).probe().hasFinished)
        let late = Source<Int, Broken>()
        let failing = late.zip(Fail<Int, Broken>(error: .first)).probe()
        #expect(failing.failure == .first && late.cancellations == 1)
    }

    @Test("each of a zip's publishers is asked for as much as the zip")
    func zipDemand() {
        let (a, b) = (Source<Int, Never>(), Source<Int, Never>())
        let probe = a.zip(b).probe(.max(2))
        #expect(a.requests == [.max(2)] && b.requests == [.max(2)])
        for number in 1...3 {
            a.send(number)
            b.send(number)
        }
        #expect(probe.values.map { [$0.0, $0.1] } == [[1, 1], [2, 2]])
        probe.cancel()
        #expect(a.cancellations == 1 && b.cancellations == 1)
    }

    @Test("merged values come as they do, the end after all")
    func merge() {
        let (a, b, c) = (Subject(), Subject(), Subject())
        let (two, three, many) = (
            a.merge(with: b).probe(), Publishers.Merge3(a, b, c).probe(), Publishers.MergeMany([a, b, c]).probe()
        )
        b.send(1)
        a.send(2)
        c.send(3)
        a.send(completion: .finished)
        b.send(4)
        b.send(completion: .finished)
        #expect(two.values == [1, 2, 4] && two.hasFinished)
        #expect(three.values == [1, 2, 3, 4] && three.ends.isEmpty)
        c.send(completion: .failure(.first))
        #expect(three.failure == .first && many.failure == .first && many.values == three.values)
        #expect(Publishers.MergeMany([Just<Int>]()).probe(.none).hasFinished)
        let eight = Just(1).merge(
            with: Just(2), [3].publisher, Just(4), Just(5), Just(6), Just(7).map { $0 }, Just(8))
        #expect(eight.probe().values == Array(1...8))
    }

    @Test("no more merged values than were asked for")
    func mergeDemand() {
        let probe = [1, 2, 3].publisher.merge(with: [4, 5].publisher).probe(.max(2))
        #expect(probe.values.count == 2 && probe.ends.isEmpty)
        probe.request(2)
        #expect(probe.values.count == 4 && probe.ends.isEmpty)
        probe.request(1)
        #expect(probe.values.sorted() == [1, 2, 3, 4, 5] && probe.hasFinished)
    }

    @Test("values before and after those of a publisher")
    func concatenate() {
        let probe = [3, 4].publisher.prepend(1, 2).append([5]).append(Just(6)).probe(.max(3))
        #expect(probe.values == [1, 2, 3] && probe.ends.isEmpty)
        probe.request(3)
        #expect(probe.values == [1, 2, 3, 4, 5, 6] && probe.hasFinished)
        let second = Source<Int, Broken>()
        let failing = Fail<Int, Broken>(error: .first).append(second).probe()
        #expect(failing.failure == .first && second.lines.isEmpty)
        let first = Source<Int, Broken>()
        let waiting = first.append(second).probe(.max(3))
        first.send(1)
        #expect(second.lines.isEmpty)
        first.send(completion: .finished)
        #expect(second.requests == [.max(2)])
        waiting.cancel()
        #expect(second.cancellations == 1)
        #expect(Just(2).prepend(Just(1)).probe().values == [1, 2])
    }

    @Test("threads that send at once lose no value and end once")
    func threads() {
        let subjects = (0..<4).map { _ in Subject() }
        let (merged, latest) = (Publishers.MergeMany(subjects).probe(), subjects[0].combineLatest(subjects[1]).probe())
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for value in 0..<1_000 { subjects[number].send(value) }
            subjects[number].send(completion: .finished)
        }
        #expect(merged.values.count == 4_000 && merged.values.reduce(0, +) == 4 * 499_500 && merged.hasFinished)
        #expect(latest.hasFinished && latest.values.last.map { [$0.0, $0.1] } == [999, 999])
    }
}
