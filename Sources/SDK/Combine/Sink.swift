extension Subscribers {
    /// Takes all values with closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {  // guarded
        private struct State {
            var subscription: (any Subscription)?
            var received: ((Input) -> Void)?
            var completed: ((Subscribers.Completion<Failure>) -> Void)?
        }
        private let state: Guarded<State>

        /// - Parameters:
        ///   - receiveCompletion: takes the end.
        ///   - receiveValue: takes each value.
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            state = Guarded(State(received: receiveValue, completed: receiveCompletion))
        }

        /// Requests all values.
        public func receive(subscription: any Subscription) {
            let isWanted = state.change { state in
                guard state.received != nil, state.subscription == nil else { return false }
                state.subscription = subscription
                return true
            }
            if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        /// Hands the value to the closure.
        public func receive(_ input: Input) -> Subscribers.Demand {
            state.value.received?(input)
            return .none
        }

        /// Hands the end to the closure.
        public func receive(completion: Subscribers.Completion<Failure>) { clear().completed?(completion) }

        /// Takes nothing more.
        public func cancel() { clear().subscription?.cancel() }

        private func clear() -> State {
            state.change { state in
                defer { state = State() }
                return state
            }
        }
    }
}

extension Publisher {
    /// Receives values and the completion with closures, until the result is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Receives values with a closure, until the result is cancelled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Assigns each value to a property of an object, which is retained until the result is cancelled or released.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Assigns each value to a published property, while it exists.
    public func assign(to published: inout Published<Output>.Publisher) { published.box.follow(self) }
}
