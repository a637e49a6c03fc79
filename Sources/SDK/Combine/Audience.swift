import TaskHostFoundation

/// The subscribers of a subject or a published property.
final class Audience<Output, Failure: Error>: @unchecked Sendable {  // `state` is guarded
    private struct State {
        var seats: [Seat<Output, Failure>] = []
        var end: Subscribers.Completion<Failure>?
    }
    private let state = Guarded(State())

    var hasEnded: Bool { state.value.end != nil }

    /// Adds a subscriber. After the end it gets that alone.
    /// - Parameter current: the first value for a subscriber; it also gets the newest value that it did not request in time.
    func add(_ subscriber: AnySubscriber<Output, Failure>, current: (() -> Output)? = nil) {
        let seat = Seat(subscriber, current: current)
        seat.leave = { [weak self] seat in self?.state.change { $0.seats.removeAll { $0 === seat } } }
        let end = state.change { state in
            if state.end == nil { state.seats.append(seat) }
            return state.end
        }
        if let end {
            subscriber.list(EmptyCollection().makeIterator(), end: end)
        } else {
            subscriber.receive(subscription: seat)
        }
    }

    /// Sends to all present subscribers, without a lock of this: they may come and go, and send.
    func send(_ value: Output) {
        for seat in state.value.seats { seat.offer(value) }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        let seats = state.change { state in
            guard state.end == nil else { return [Seat<Output, Failure>]() }
            state.end = completion
            defer { state.seats = [] }
            return state.seats
        }
        for seat in seats { seat.end(completion) }
    }
}

/// One subscriber with its demand.
final class Seat<Output, Failure: Error>: Subscription, @unchecked Sendable {  // `leave` is set once
    private struct State {
        var subscriber: AnySubscriber<Output, Failure>?
        var demand = Subscribers.Demand.none
        /// There is a value that it has not got.
        var isOwed: Bool
    }
    private let state: Guarded<State>
    /// Held while the subscriber receives: threads that send take turns, and who receives may send.
    private let turn = NSRecursiveLock()
    private let current: (() -> Output)?
    /// Set before the subscriber knows of this seat.
    var leave: ((Seat) -> Void)?

    init(_ subscriber: AnySubscriber<Output, Failure>, current: (() -> Output)?) {
        state = Guarded(State(subscriber: subscriber, isOwed: current != nil))
        self.current = current
    }

    func request(_ demand: Subscribers.Demand) {
        state.change { $0.demand += demand }
        guard let current else { return }
        turn.withLock {
            let owed = state.change { state in
                guard state.isOwed, state.demand.take() else { return nil as AnySubscriber<Output, Failure>? }
                state.isOwed = false
                return state.subscriber
            }
            if let owed { grant(owed.receive(current())) }
        }
    }

    func offer(_ value: Output) {
        turn.withLock {
            let next = state.change { state in
                guard state.demand.take() else {
                    state.isOwed = current != nil
                    return nil as AnySubscriber<Output, Failure>?
                }
                state.isOwed = false
                return state.subscriber
            }
            if let next { grant(next.receive(value)) }
        }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        turn.withLock {
            let last = state.change { state in
                defer { state.subscriber = nil }
                return state.subscriber
            }
            last?.receive(completion: completion)
        }
    }

    func cancel() {
        let old = state.change { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
        // Outside of the lock: what its closures captured may do anything when it goes.
        withExtendedLifetime(old) { leave?(self) }
    }

    private func grant(_ more: Subscribers.Demand) {
        if more != .none { request(more) }
    }
}
