import Combine
import Foundation
import Testing

@Suite("Combine")
struct CombineTests {
    private enum Problem: Error { case broken }

    /// Asks for a number of values, and for more on request.
    private final class Counting: Subscriber {
        var subscription: (any Subscription)?
        var values: [Int] = []
        let first: Subscribers.Demand

        init(_ first: Int) { self.first = .max(first) }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(first)
        }
        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return .none
        }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test("a subject sends to its subscribers, until they cancel or it ends")
    func passthrough() {
        let subject = PassthroughSubject<Int, Problem>()
        var (first, second, ends) = ([Int](), [Int](), [String]())
        subject.send(0)
        var kept: AnyCancellable? = subject.sink(
            receiveCompletion: { _ in ends.append("first") }, receiveValue: { first.append($0) })
        let other = subject.sink(receiveCompletion: { ends.append("\($0)") }, receiveValue: { second.append($0) })
        subject.send(1)
        #expect(kept != nil)
        kept = nil
        subject.send(2)
        subject.send(completion: .failure(.broken))
        subject.send(3)
        #expect(first == [1] && second == [1, 2])
        #expect(ends.count == 1 && ends[0].hasPrefix("failure") && ends[0].hasSuffix("broken)"))
        other.cancel()
        var late: [String] = []
        _ = subject.sink(receiveCompletion: { _ in late.append("end") }, receiveValue: { _ in late.append("value") })
        #expect(late == ["end"])
    }

    @Test("a subject with a value sends that first, and what it is set to")
    func current() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        var bag = Set<AnyCancellable>()
        subject.removeDuplicates().sink { seen.append($0) }.store(in: &bag)
        subject.value = 1
        subject.value += 4
        subject.send(6)
        #expect(seen == [1, 5, 6] && subject.value == 6)
        bag = []
        subject.value = 7
        #expect(seen == [1, 5, 6])
    }

    @Test("no more is sent than was asked for; of a value in a subject the newest")
    func demand() {
        let (plain, valued) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
        let (two, one, even) = (Counting(2), Counting(1), Counting(1))
        plain.subscribe(two)
        valued.subscribe(one)
        plain.filter { $0 % 2 == 0 }.subscribe(even)
        for number in 1...5 {
            plain.send(number)
            valued.send(number * 10)
        }
        #expect(two.values == [1, 2] && even.values == [2])
        #expect(one.values == [1])
        one.subscription?.request(.max(1))
        two.subscription?.request(.unlimited)
        plain.send(6)
        #expect(one.values == [1, 50] && two.values == [1, 2, 6])
    }

    private class Model: ObservableObject {
        @Published var count = 0
    }
    private final class Named: Model {
        @Published var name = "a"
        @Published var isLong = false
    }

    @Test("a published property sends before it changes, its object with it")
    func published() {
        let model = Named()
        var (seen, changes, lengths) = ([String](), 0, [Int]())
        let bag = [
            model.$name.sink { seen.append($0 + model.name) },
            model.objectWillChange.sink { changes += 1 },
            model.$name.map(\.count).compactMap { $0 > 1 ? $0 : nil }.dropFirst().sink { lengths.append($0) },
        ]
        model.name = "bb"
        model.name = "ccc"
        model.count += 1
        #expect(seen == ["aa", "bba", "cccbb"] && lengths == [3])
        #expect(changes == 3 && model.objectWillChange === model.objectWillChange)
        model.$name.map { $0.count > 3 }.assign(to: &model.$isLong)
        model.name = "dddd"
        #expect(model.isLong && bag.count == 3)
    }

    @Test("an object has its own publishers, and none of another's that had its address")
    func objects() {
        for _ in 0..<1_000 {
            let model = Model()
            var changes = 0
            let cancellable = model.objectWillChange.sink { changes += 1 }
            model.count = 1
            #expect(changes == 1)
            cancellable.cancel()
        }
    }

    @Test("values come in order on the queue that they are received on")
    func queue() async {
        let queue = DispatchQueue(label: "org.taskhost.combine")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.receive(on: queue).sink { value in
            if DispatchQueue.getSpecific(key: key) == true { seen.append(value) }
        }
        for number in 0..<100 { subject.send(number) }
        queue.sync {}
        #expect(seen == Array(0..<100))
        cancellable.cancel()
        subject.send(100)
        queue.sync {}
        #expect(seen.count == 100)
    }

    @Test("notifications are values, until the subscription is cancelled")
    func notifications() {
        let (center, name) = (NotificationCenter(), Notification.Name("org.taskhost.combine"))
        var seen: [Int] = []
        let cancellable = center.publisher(for: name).sink { seen.append($0.userInfo?["n"] as? Int ?? -1) }
        for number in 0..<3 { center.post(name: name, object: nil, userInfo: ["n": number]) }
        cancellable.cancel()
        center.post(name: name, object: nil)
        #expect(seen == [0, 1, 2])
    }

    @Test("what is cancelled twice, or goes, is cancelled once")
    func cancellable() {
        var count = 0
        do {
            let cancellable = AnyCancellable { count += 1 }
            cancellable.cancel()
            cancellable.cancel()
        }
        #expect(count == 1)
        var list: [AnyCancellable] = []
        AnyCancellable { count += 1 }.store(in: &list)
        list = []
        #expect(count == 2)
    }
}
