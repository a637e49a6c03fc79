/// Sends no values.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
    /// Whether it finishes at once; otherwise it never ends.
    public let completeImmediately: Bool

    /// - Parameter completeImmediately: whether it finishes at once; otherwise it never ends.
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    /// - Parameters:
    ///   - completeImmediately: whether it finishes at once; otherwise it never ends.
    ///   - outputType: the type of the values.
    ///   - failureType: the type of failures.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        if completeImmediately {
            subscriber.list(EmptyCollection().makeIterator())
        } else {
            Outlet(AnySubscriber(subscriber)).open()
        }
    }
}
