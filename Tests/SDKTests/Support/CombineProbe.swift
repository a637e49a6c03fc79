import Combine
import Foundation

enum Broken: Error, Equatable { case first, second }

/// Takes values and remembers what it got; asks for some at first, and for more on request.
final class Probe<Input, Failure: Error>: Subscriber, Cancellable {
    private(set) var values: [Input] = []
    private(set) var ends: [Subscribers.Completion<Failure>] = []
    private(set) var subscriptions: [any Subscription] = []
    private let first: Subscribers.Demand
    /// What each value is answered with.
    private let more: Subscribers.Demand
    var onValue: ((Input) -> Void)?

    init(_ first: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none) {
        self.first = first
        self.more = more
    }

    var hasFinished: Bool { if case .finished? = ends.first { ends.count == 1 } else { false } }
    var failure: Failure? { if case .failure(let error)? = ends.first, ends.count == 1 { error } else { nil } }

    func receive(subscription: any Subscription) {
        subscriptions.append(subscription)
        if first > .none { subscription.request(first) }
    }
    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        onValue?(input)
        return more
    }
    func receive(completion: Subscribers.Completion<Failure>) { ends.append(completion) }

    func request(_ count: Int) { subscriptions.first?.request(.max(count)) }
    func cancel() { subscriptions.first?.cancel() }
}

extension Publisher {
    /// Attaches a probe.
    func probe(
        _ first: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none
    ) -> Probe<Output, Failure> {
        let probe = Probe<Output, Failure>(first, more: more)
        subscribe(probe)
        return probe
    }
}

/// A publisher that is told what to send, without regard to demand, and remembers what it was asked.
final class Source<Output, Failure: Error>: Publisher {
    final class Line: Subscription {
        private(set) var requests: [Subscribers.Demand] = []
        private(set) var cancellations = 0
        fileprivate let subscriber: AnySubscriber<Output, Failure>
        fileprivate init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }
        func request(_ demand: Subscribers.Demand) { requests.append(demand) }
        func cancel() { cancellations += 1 }
    }
    private(set) var lines: [Line] = []

    var requests: [Subscribers.Demand] { lines.last?.requests ?? [] }
    var cancellations: Int { lines.reduce(0) { $0 + $1.cancellations } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let line = Line(AnySubscriber(subscriber))
        lines.append(line)
        subscriber.receive(subscription: line)
    }

    @discardableResult func send(_ value: Output) -> Subscribers.Demand {
        lines.last?.subscriber.receive(value) ?? .none
    }
    func send(completion: Subscribers.Completion<Failure>) { lines.last?.subscriber.receive(completion: completion) }
}
