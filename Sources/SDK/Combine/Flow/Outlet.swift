/// What stands before one subscriber: hands it values one at a time, in order and never more than it asked for, and one
/// end. A subclass has the values.
class Outlet<Output, Failure: Error>: Subscription, @unchecked Sendable {  // `state` is guarded
    /// What the subscriber gets next.
    enum Step {
        case value(Output)
        case end(Subscribers.Completion<Failure>)
        case nothing
    }
    private struct State {
        /// Nil after the end or cancellation.
        var subscriber: AnySubscriber<Output, Failure>?
        var demand = Subscribers.Demand.none
        /// A thread is in `hand()`; others leave their work to it.
        var isHanding = false
        var isStale = false
    }
    private let state: Guarded<State>

    init(_ subscriber: AnySubscriber<Output, Failure>) { state = Guarded(State(subscriber: subscriber)) }

    /// What the subscriber asked for and has not got.
    final var demand: Subscribers.Demand { state.value.demand }
    final var isOpen: Bool { state.value.subscriber != nil }

    /// The next step, without a lock. One thread at a time is in here.
    /// - Parameter canSend: whether a value may be the answer.
    func next(canSend: Bool) -> Step { .nothing }
    /// The subscriber wants more.
    func requested(_ demand: Subscribers.Demand) {}
    /// There is no subscriber any more: lets go of what feeds this. Called once.
    func released() {}

    /// Gives the subscriber this subscription.
    final func open() { state.value.subscriber?.receive(subscription: self) }

    final func request(_ demand: Subscribers.Demand) {
        let isOpen = state.change { state in
            state.demand += demand
            return state.subscriber != nil
        }
        guard isOpen else { return }
        requested(demand)
        hand()
    }

    /// Hands over what there is.
    final func hand() {
        let isFirst = state.change { state in
            state.isStale = state.isHanding
            if state.isHanding { return false }
            state.isHanding = true
            return true
        }
        guard isFirst else { return }
        while true {
            let (subscriber, demand) = state.change { ($0.subscriber, $0.demand) }
            // Nobody hands over anything after this.
            guard let subscriber else { return }
            switch next(canSend: demand > .none) {
            case .value(let value):
                state.change { _ = $0.demand.take() }
                let more = subscriber.receive(value)
                guard more > .none else { continue }
                state.change { $0.demand += more }
                requested(more)
            case .end(let end):
                guard let last = leave() else { return }
                released()
                return last.receive(completion: end)
            case .nothing:
                let isDone = state.change { state in
                    state.isHanding = state.isStale
                    state.isStale = false
                    return !state.isHanding
                }
                if isDone { return }
            }
        }
    }

    final func cancel() {
        // Outside of the lock: what its closures captured may do anything when it goes.
        let old = leave()
        if old != nil { released() }
    }

    private func leave() -> AnySubscriber<Output, Failure>? {
        state.change { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
    }
}
