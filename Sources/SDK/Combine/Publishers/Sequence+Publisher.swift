/// The types of publishers that operators and functions give by name. All other operators give an `AnyPublisher`.
public enum Publishers {}

extension Publishers {
    /// Sends the elements of a sequence as they are asked for, and finishes.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// An element.
        public typealias Output = Elements.Element
        /// What is sent.
        public let sequence: Elements
        /// - Parameter sequence: what is sent.
        public init(sequence: Elements) { self.sequence = sequence }
        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.list(sequence.makeIterator())
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
    /// Sends the elements as they are asked for, and finishes.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
