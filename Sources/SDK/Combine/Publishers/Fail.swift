/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    /// How it fails.
    public let error: Failure

    /// - Parameter error: how it fails.
    public init(error: Failure) { self.error = error }

    /// - Parameters:
    ///   - outputType: the type of the values.
    ///   - failure: how it fails.
    public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.list(EmptyCollection().makeIterator(), end: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}
