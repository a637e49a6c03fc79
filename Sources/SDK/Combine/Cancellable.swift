import TaskHostFoundation

/// Something that can be cancelled.
public protocol Cancellable {
    /// Ends it. A second call does nothing.
    func cancel()
}

extension Cancellable {
    /// Keeps it in a collection.
    public func store<Collection>(in collection: inout Collection)
    where Collection: RangeReplaceableCollection, Collection.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }

    /// Keeps it in a set.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}

/// Cancels something when it is cancelled itself, or with its last reference.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {  // `action` has a lock
    private let lock = NSLock()
    private var action: (() -> Void)?

    /// - Parameter cancel: called once.
    public init(_ cancel: @escaping () -> Void) { action = cancel }

    /// - Parameter canceller: the object to cancel.
    public init<Canceller: Cancellable>(_ canceller: Canceller) { action = { canceller.cancel() } }

    deinit { cancel() }

    /// Cancels; a second call does nothing.
    public func cancel() {
        let action = lock.withLock { () -> (() -> Void)? in
            defer { self.action = nil }
            return self.action
        }
        action?()
    }

    /// Whether they are the same object.
    public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }
    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What ties a subscriber to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Lets the publisher send this many more values.
    func request(_ demand: Subscribers.Demand)
}
