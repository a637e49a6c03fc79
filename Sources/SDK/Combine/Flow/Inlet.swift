/// One upstream of an operator. It may be asked for values before its subscription is there, and gives nothing once it is
/// closed or has ended.
final class Inlet<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {  // `state` is guarded
    private struct State {
        var subscription: (any Subscription)?
        var isClosed = false
        /// What was asked for before there was a subscription.
        var early = Subscribers.Demand.none
        var received: ((Input) -> Subscribers.Demand)?
        var ended: ((Subscribers.Completion<Failure>) -> Void)?
    }
    private let state = Guarded(State())

    /// Attaches this to its publisher.
    func open<P: Publisher>(
        _ publisher: P, _ received: @escaping (Input) -> Subscribers.Demand,
        ended: @escaping (Subscribers.Completion<Failure>) -> Void
    ) where P.Output == Input, P.Failure == Failure {
        let isWanted = state.change { state in
            guard !state.isClosed else { return false }
            state.received = received
            state.ended = ended
            return true
        }
        if isWanted { publisher.receive(subscriber: self) }
    }

    func receive(subscription: any Subscription) {
        let early = state.change { state in
            guard !state.isClosed, state.subscription == nil else { return nil as Subscribers.Demand? }
            state.subscription = subscription
            return state.early
        }
        guard let early else { return subscription.cancel() }
        if early > .none { subscription.request(early) }
    }

    func receive(_ input: Input) -> Subscribers.Demand { state.value.received?(input) ?? .none }

    func receive(completion: Subscribers.Completion<Failure>) { close().ended?(completion) }

    func request(_ demand: Subscribers.Demand) {
        let subscription = state.change { state in
            if state.subscription == nil { state.early += demand }
            return state.subscription
        }
        if demand > .none { subscription?.request(demand) }
    }

    func cancel() { close().subscription?.cancel() }

    private func close() -> State {
        state.change { state in
            defer { state = State(isClosed: true) }
            return state
        }
    }
}
