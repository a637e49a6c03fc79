/// Makes a publisher for each subscriber when it is attached.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The values of the made publishers.
    public typealias Output = DeferredPublisher.Output
    /// How the made publishers fail.
    public typealias Failure = DeferredPublisher.Failure
    /// Makes a publisher.
    public let createPublisher: () -> DeferredPublisher
    /// - Parameter createPublisher: makes a publisher.
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }
    /// Attaches a subscriber to a new publisher.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().receive(subscriber: subscriber)
    }
}
