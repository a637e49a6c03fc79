extension Publisher {
    /// Values as a function makes them.
    public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> {
        relay { value, next in next.receive(transform(value)) }
    }

    /// A property of each value.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> AnyPublisher<T, Failure> {
        relay { value, next in next.receive(value[keyPath: keyPath]) }
    }

    /// The results of a function; nil results are skipped.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> {
        // A skipped value makes room for another.
        relay { value, next in transform(value).map { next.receive($0) } ?? .max(1) }
    }

    /// The values of which something is true.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// All but the first values.
    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        AnyPublisher { next in
            let left = Guarded(count)
            self.attach(to: next) { value, next in
                let isDropped = left.change { left in
                    left -= 1
                    return left >= 0
                }
                return isDropped ? .max(1) : next.receive(value)
            }
        }
    }

    /// Values that differ from the one before.
    public func removeDuplicates(
        by areSame: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { next in
            let last = Guarded<Output?>(nil)
            self.attach(to: next) { value, next in
                let old = last.change { last in
                    defer { last = value }
                    return last
                }
                if let old, areSame(old, value) { return .max(1) }
                return next.receive(value)
            }
        }
    }

    private func relay<T>(
        _ step: @escaping (Output, AnySubscriber<T, Failure>) -> Subscribers.Demand
    ) -> AnyPublisher<T, Failure> {
        AnyPublisher { next in self.attach(to: next, step) }
    }

    private func attach<T>(
        to next: AnySubscriber<T, Failure>,
        _ step: @escaping (Output, AnySubscriber<T, Failure>) -> Subscribers.Demand
    ) {
        receive(
            subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { next.receive(subscription: $0) }, receiveValue: { step($0, next) },
                receiveCompletion: { next.receive(completion: $0) }))
    }
}

extension Publisher where Output: Equatable {
    /// Values that differ from the one before.
    public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}
