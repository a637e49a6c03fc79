/// Sends one value, and finishes.
public struct Just<Output>: Publisher {
    /// It does not fail.
    public typealias Failure = Never
    /// The value.
    public let output: Output
    /// - Parameter output: the value.
    public init(_ output: Output) { self.output = output }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.list(CollectionOfOne(output).makeIterator())
    }
}

extension Just: Equatable where Output: Equatable {}
