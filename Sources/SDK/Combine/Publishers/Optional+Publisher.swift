extension Optional {
    /// Sends a value if there is one, and finishes.
    public struct Publisher: Combine.Publisher {
        /// The value.
        public typealias Output = Wrapped
        /// It does not fail.
        public typealias Failure = Never
        /// What is sent.
        public let output: Wrapped?
        /// - Parameter output: what is sent; nil to send nothing.
        public init(_ output: Wrapped?) { self.output = output }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            subscriber.list((output.map { [$0] } ?? []).makeIterator())
        }
    }

    /// Sends the value if there is one, and finishes.
    public var publisher: Publisher { Publisher(self) }
}
