/// The values of a publisher, for `for await`. Each iteration asks for one: a subject drops what comes between iterations.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// A value.
    public typealias Element = P.Output
    /// Takes the values of one subscription, which starts with it and is cancelled with its task or its last copy.
    public struct Iterator: AsyncIteratorProtocol {
        private let pull: Pull<P.Output, Never>
        fileprivate init(_ publisher: P) {
            pull = Pull(publisher)
        }
        /// The next value; nil at the end, and when the task is cancelled.
        public mutating func next() async -> P.Output? { await next(isolation: nil) }
        /// The same on an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
            // It does not fail.
            try? await pull.next(isolation: actor)
        }
    }
    private let publisher: P
    /// - Parameter publisher: the source of the values.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Subscribes.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

/// The values of a publisher that may fail, for `for try await`. Each iteration asks for one: a subject drops what comes between
/// iterations.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// A value.
    public typealias Element = P.Output
    /// Takes the values of one subscription, which starts with it and is cancelled with its task or its last copy.
    public struct Iterator: AsyncIteratorProtocol {
        private let pull: Pull<P.Output, P.Failure>
        fileprivate init(_ publisher: P) {
            pull = Pull(publisher)
        }
        /// The next value; nil at the end, and when the task is cancelled. Throws the failure, once.
        public mutating func next() async throws -> P.Output? { try await next(isolation: nil) }
        /// The same on an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
            try await pull.next(isolation: actor)
        }
    }
    private let publisher: P
    /// - Parameter publisher: the source of the values.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Subscribes.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

extension Publisher where Failure == Never {
    /// The values, for `for await`.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
    /// The values, for `for try await`.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
