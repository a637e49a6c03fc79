extension Publishers {
    /// Sends what one subscription of its upstream gives to many, through a subject, once it is connected.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, @unchecked Sendable
    where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
        /// That of the upstream.
        public typealias Output = Upstream.Output
        /// That of the upstream.
        public typealias Failure = Upstream.Failure
        /// The source of the values.
        public let upstream: Upstream
        /// Makes the subject, with the first subscriber or the connection.
        public let createSubject: () -> SubjectType
        private let made = Guarded<SubjectType?>(nil)

        /// - Parameters:
        ///   - upstream: the source of the values.
        ///   - createSubject: makes the subject.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        /// Attaches a subscriber to the subject.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subject.receive(subscriber: subscriber)
        }

        /// Attaches the subject to the upstream.
        public func connect() -> any Cancellable { upstream.subscribe(subject) }

        private var subject: SubjectType {
            if let subject = made.value { return subject }
            let new = createSubject()
            return made.change { made in
                made = made ?? new
                return made ?? new
            }
        }
    }

    /// Sends what one subscription of its upstream gives to all subscribers. It starts with the first one, and is cancelled when
    /// none is left.
    public final class Share<Upstream: Publisher>: Publisher, Equatable, @unchecked Sendable {
        /// That of the upstream.
        public typealias Output = Upstream.Output
        /// That of the upstream.
        public typealias Failure = Upstream.Failure
        /// The source of the values.
        public let upstream: Upstream
        private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>
        /// - Parameter upstream: the source of the values.
        public init(upstream: Upstream) {
            self.upstream = upstream
            shared = upstream.multicast { PassthroughSubject() }.autoconnect()
        }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            shared.receive(subscriber: subscriber)
        }
        /// Whether they are the same object.
        public static func == (a: Share, b: Share) -> Bool { a === b }
    }

    /// Sends nothing before it is connected; then all subscribers get what one subscription of its upstream gives.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
        /// That of the upstream.
        public typealias Output = Upstream.Output
        /// It does not fail.
        public typealias Failure = Never
        private let inner: Multicast<Upstream, PassthroughSubject<Output, Never>>
        /// - Parameter upstream: the source of the values.
        public init(upstream: Upstream) { inner = upstream.multicast(subject: PassthroughSubject()) }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            inner.receive(subscriber: subscriber)
        }
        /// Starts, for all subscribers.
        public func connect() -> any Cancellable { inner.connect() }
    }
}

extension Publisher {
    /// Sends what one subscription gives to many, through subjects, once it is connected.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Sends what one subscription gives to many, through a subject, once it is connected.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure { multicast { subject } }

    /// One subscription for all subscribers, from the first one until none is left.
    public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }

    /// Sends all to a subject, until the result is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        let inlet = Feed(subject)
        receive(subscriber: inlet)
        return AnyCancellable(inlet)
    }
}

extension Publisher where Failure == Never {
    /// Sends nothing before it is connected.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}

/// A subject's subscription of a publisher.
private final class Feed<S: Subject>: Subscriber, Cancellable, @unchecked Sendable {  // `state` is guarded
    private let state: Guarded<(subject: S?, upstream: (any Subscription)?)>

    init(_ subject: S) { state = Guarded((subject, nil)) }

    func receive(subscription: any Subscription) {
        let subject = state.change { state in
            guard state.upstream == nil else { return nil as S? }
            if state.subject != nil { state.upstream = subscription }
            return state.subject
        }
        if let subject { subject.send(subscription: subscription) } else { subscription.cancel() }
    }

    func receive(_ input: S.Output) -> Subscribers.Demand {
        state.value.subject?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<S.Failure>) { leave().subject?.send(completion: completion) }

    func cancel() { leave().upstream?.cancel() }

    private func leave() -> (subject: S?, upstream: (any Subscription)?) {
        state.change { state in
            defer { state = (nil, nil) }
            return state
        }
    }
}
