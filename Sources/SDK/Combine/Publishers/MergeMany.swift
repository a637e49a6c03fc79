extension Publishers {
    /// The values of publishers as they come. It finishes when all have finished, and fails with the first failure. Each may be
    /// one value ahead of what the subscriber asked for.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// A value of one.
        public typealias Output = Upstream.Output
        /// That of all.
        public typealias Failure = Upstream.Failure
        /// The publishers.
        public let publishers: [Upstream]
        /// - Parameter upstream: the publishers.
        public init(_ upstream: Upstream...) { self.init(upstream) }
        /// - Parameter upstream: the publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }
        /// With one more.
        public func merge(with other: Upstream) -> MergeMany { MergeMany(publishers + [other]) }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }.receive(subscriber: subscriber)
        }
    }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
