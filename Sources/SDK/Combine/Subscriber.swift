/// Takes the values of a publisher.
public protocol Subscriber<Input, Failure> {
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
    /// How many values are wanted.
    public struct Demand: Hashable, Sendable {
        fileprivate var count: Int
        /// All values.
        public static let unlimited = Demand(count: .max)
        /// No more.
        public static let none = Demand(count: 0)
        /// This many.
        public static func max(_ value: Int) -> Demand { Demand(count: Swift.max(0, value)) }
        /// The number; nil when it is unlimited.
        public var max: Int? { count == .max ? nil : count }
        /// Both together.
        public static func + (a: Demand, b: Demand) -> Demand {
            let (sum, overflow) = a.count.addingReportingOverflow(b.count)
            return Demand(count: overflow ? .max : sum)
        }
        /// Adds.
        public static func += (a: inout Demand, b: Demand) { a = a + b }

        /// One of them; false when there is none.
        mutating func take() -> Bool {
            guard count > 0 else { return false }
            if count != .max { count -= 1 }
            return true
        }
    }

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

/// Any subscriber of these types.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    private let subscribed: (any Subscription) -> Void
    private let received: (Input) -> Subscribers.Demand
    private let completed: (Subscribers.Completion<Failure>) -> Void

    /// - Parameter subscriber: the subscriber that receives everything.
    public init<Other: Subscriber>(_ subscriber: Other) where Other.Input == Input, Other.Failure == Failure {
        if let any = subscriber as? AnySubscriber<Input, Failure> {
            self = any
        } else {
            self.init(
                receiveSubscription: { subscriber.receive(subscription: $0) },
                receiveValue: { subscriber.receive($0) }, receiveCompletion: { subscriber.receive(completion: $0) })
        }
    }

    /// - Parameters:
    ///   - receiveSubscription: takes the subscription.
    ///   - receiveValue: receives a value, and returns how many more are wanted.
    ///   - receiveCompletion: takes the end.
    public init(
        receiveSubscription: @escaping (any Subscription) -> Void,
        receiveValue: @escaping (Input) -> Subscribers.Demand,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        subscribed = receiveSubscription
        received = receiveValue
        completed = receiveCompletion
    }

    /// Passes it on.
    public func receive(subscription: any Subscription) { subscribed(subscription) }
    /// Passes it on.
    public func receive(_ input: Input) -> Subscribers.Demand { received(input) }
    /// Passes it on.
    public func receive(completion: Subscribers.Completion<Failure>) { completed(completion) }
}
