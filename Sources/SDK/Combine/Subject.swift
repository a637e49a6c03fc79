/// A publisher with a method to send values.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value.
    func send(_ value: Output)
    /// Ends; nothing is sent after it.
    func send(completion: Subscribers.Completion<Failure>)
    /// Takes what another publisher gives.
    func send(subscription: any Subscription)
}

extension Subject {
    /// Takes all that another publisher gives.
    public func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

extension Subject where Output == Void {
    /// Sends.
    public func send() { send(()) }
}

/// Sends values to its present subscribers.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {  // `audience` has a lock
    private let audience = Audience<Output, Failure>()
    /// Creates one without subscribers.
    public init() {}
    /// Sends a value.
    public func send(_ value: Output) { audience.send(value) }
    /// Ends; nothing is sent after it.
    public func send(completion: Subscribers.Completion<Failure>) { audience.end(completion) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        audience.add(AnySubscriber(subscriber))
    }
}

/// Has a value, and sends it and every other that takes its place.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {  // both have locks
    private let audience = Audience<Output, Failure>()
    private let current: Guarded<Output>
    /// - Parameter value: the first value.
    public init(_ value: Output) { current = Guarded(value) }
    /// The value; setting it sends it.
    public var value: Output {
        get { current.value }
        set { send(newValue) }
    }
    /// Takes the place of the value, and is sent.
    public func send(_ value: Output) {
        guard !audience.hasEnded else { return }
        current.change { $0 = value }
        audience.send(value)
    }
    /// Ends; nothing is sent after it.
    public func send(completion: Subscribers.Completion<Failure>) { audience.end(completion) }
    /// Attaches a subscriber, which receives the value at once.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        audience.add(AnySubscriber(subscriber)) { [current] in current.value }
    }
}
