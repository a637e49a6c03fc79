/// What an operator makes of a value.
enum Verdict<Output, Failure: Error> {
    case pass(Output)
    /// Makes room for another one.
    case skip
    /// The last value.
    case last(Output)
    case end(Subscribers.Completion<Failure>)
}

/// An operator that gives at most one value for each, and may end before its upstream.
final class Stage<Input, Output, Failure: Error>: Subscription, @unchecked Sendable {  // `subscriber` is guarded
    private let subscriber: Guarded<AnySubscriber<Output, Failure>?>
    /// To the upstream, whose kind of failure is not known here.
    private let ask: (Subscribers.Demand) -> Void
    private let leave: () -> Void

    init<P: Publisher>(
        _ publisher: P, _ subscriber: AnySubscriber<Output, Failure>,
        _ judge: @escaping (Input) -> Verdict<Output, Failure>,
        ending: @escaping (Subscribers.Completion<P.Failure>) -> Subscribers.Completion<Failure>
    ) where P.Output == Input {
        self.subscriber = Guarded(subscriber)
        let inlet = Inlet<Input, P.Failure>()
        ask = { inlet.request($0) }
        leave = { inlet.cancel() }
        subscriber.receive(subscription: self)
        inlet.open(
            publisher, { [self] in receive(judge($0)) }, ended: { [self] in take()?.receive(completion: ending($0)) })
    }

    func request(_ demand: Subscribers.Demand) { ask(demand) }

    func cancel() {
        let old = take()
        // Outside of the lock: what its closures captured may do anything when it goes.
        withExtendedLifetime(old) { leave() }
    }

    private func receive(_ verdict: Verdict<Output, Failure>) -> Subscribers.Demand {
        switch verdict {
        case .pass(let value): return subscriber.value?.receive(value) ?? .none
        case .skip: return .max(1)
        case .last(let value): end(.finished, after: value)
        case .end(let completion): end(completion, after: nil)
        }
        return .none
    }

    private func end(_ completion: Subscribers.Completion<Failure>, after value: Output?) {
        guard let last = take() else { return }
        leave()
        if let value { _ = last.receive(value) }
        last.receive(completion: completion)
    }

    private func take() -> AnySubscriber<Output, Failure>? {
        subscriber.change { subscriber in
            defer { subscriber = nil }
            return subscriber
        }
    }
}

extension Publisher {
    /// An operator on single values.
    /// - Parameter start: makes the judge of one subscription's values.
    func staged<T>(
        _ start: @escaping () -> (Output) -> Verdict<T, Failure>
    ) -> AnyPublisher<T, Failure> {
        AnyPublisher { _ = Stage(self, $0, start(), ending: { $0 }) }
    }

    /// An operator on single values which fails when its judge throws.
    func trying<T>(
        _ start: @escaping () -> (Output) throws -> Verdict<T, any Error>
    ) -> AnyPublisher<T, any Error> {
        AnyPublisher { next in
            let judge = start()
            _ = Stage(
                self, next,
                { value in
                    do { return try judge(value) } catch { return .end(.failure(error)) }
                }, ending: { $0.mapFailure { $0 } })
        }
    }
}

extension Subscribers.Completion {
    /// The same with another failure.
    func mapFailure<E: Error>(_ transform: (Failure) -> E) -> Subscribers.Completion<E> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }
}
