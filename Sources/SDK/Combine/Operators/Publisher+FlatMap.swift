extension Publisher {
    /// The values of the publishers that a function makes of values, as they come.
    /// - Parameters:
    ///   - maxPublishers: how many of them there may be at a time; the upstream waits when there are more.
    ///   - transform: makes a publisher.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure {
        AnyPublisher { Flattening<P>($0).flatten(self, limit: maxPublishers, transform: transform) }
    }

    /// The values of the publishers that a function makes of values, as they come.
    /// - Parameters:
    ///   - maxPublishers: how many of them there may be at a time; the upstream waits when there are more.
    ///   - transform: makes a publisher, which does not fail.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, Failure> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Failure == Never {
    /// The values of the publishers that a function makes of values, as they come.
    /// - Parameters:
    ///   - maxPublishers: how many of them there may be at a time; the upstream waits when there are more.
    ///   - transform: makes a publisher.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, P.Failure> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// The values of the publishers that a function makes of values, as they come.
    /// - Parameters:
    ///   - maxPublishers: how many of them there may be at a time; the upstream waits when there are more.
    ///   - transform: makes a publisher, which does not fail.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, Never> where P.Failure == Never {
        AnyPublisher { Flattening<P>($0).flatten(self, limit: maxPublishers, transform: transform) }
    }
}
