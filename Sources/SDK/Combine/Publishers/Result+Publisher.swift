extension Result {
    /// Sends a value and finishes, or fails.
    public struct Publisher: Combine.Publisher {
        /// The value.
        public typealias Output = Success
        /// What is sent.
        public let result: Result
        /// - Parameter result: what is sent.
        public init(_ result: Result) { self.result = result }
        /// - Parameter output: the value.
        public init(_ output: Success) { self.init(.success(output)) }
        /// - Parameter failure: the failure.
        public init(_ failure: Failure) { self.init(.failure(failure)) }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            switch result {
            case .success(let value): subscriber.list(CollectionOfOne(value).makeIterator())
            case .failure(let error): subscriber.list(EmptyCollection().makeIterator(), end: .failure(error))
            }
        }
    }

    /// Sends the value and finishes, or fails.
    public var publisher: Publisher { Publisher(self) }
}
