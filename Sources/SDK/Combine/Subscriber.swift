/// Takes the values of a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The values.
    associatedtype Input
    /// How it may end; `Never` when it does not fail.
    associatedtype Failure: Error
    /// Comes first.
    func receive(subscription: any Subscription)
    /// A value.
    /// - Returns: how many more values are wanted.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Comes last.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// What belongs to subscribers.
public enum Subscribers {
    /// How a publisher ends.
    public enum Completion<Failure: Error> {
        /// It has no more.
        case finished
        /// It failed.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

/// Any subscriber of these types.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    /// The identifier of the subscriber that it was made of, or its own.
    public let combineIdentifier: CombineIdentifier
    private let subscribed: (any Subscription) -> Void
    private let received: (Input) -> Subscribers.Demand
    private let completed: (Subscribers.Completion<Failure>) -> Void

    /// - Parameter subscriber: the subscriber that receives everything.
    public init<Other: Subscriber>(_ subscriber: Other) where Other.Input == Input, Other.Failure == Failure {
        if let any = subscriber as? AnySubscriber<Input, Failure> {
            self = any
        } else {
            combineIdentifier = subscriber.combineIdentifier
            subscribed = { subscriber.receive(subscription: $0) }
            received = { subscriber.receive($0) }
            completed = { subscriber.receive(completion: $0) }
        }
    }

    /// - Parameters:
    ///   - receiveSubscription: takes the subscription; nil for a subscriber that requests nothing.
    ///   - receiveValue: receives a value, and returns how many more are wanted; nil for none.
    ///   - receiveCompletion: takes the end; nil to ignore it.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        combineIdentifier = CombineIdentifier()
        subscribed = receiveSubscription ?? { _ in }
        received = receiveValue ?? { _ in .none }
        completed = receiveCompletion ?? { _ in }
    }

    /// One that sends all to a subject.
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        combineIdentifier = CombineIdentifier(subject)
        subscribed = { subject.send(subscription: $0) }
        received = { value in
            subject.send(value)
            return .none
        }
        completed = { subject.send(completion: $0) }
    }

    /// Passes it on.
    public func receive(subscription: any Subscription) { subscribed(subscription) }
    /// Passes it on.
    public func receive(_ input: Input) -> Subscribers.Demand { received(input) }
    /// Passes it on.
    public func receive(completion: Subscribers.Completion<Failure>) { completed(completion) }
}
