/// An object that announces changes of its published properties in advance.
public protocol ObservableObject: AnyObject {
    /// The publisher of these announcements.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    /// Sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

/// Sends before an object changes.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {  // `audience` has a lock
    /// Nothing but that it will change.
    public typealias Output = Void
    /// It does not fail.
    public typealias Failure = Never
    private let audience = Audience<Void, Never>()
    /// Creates one without subscribers.
    public init() {}
    /// Announces that the object will change.
    public func send() { audience.send(()) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        audience.add(AnySubscriber(subscriber))
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The same one each time. The published properties of the object are found on the first call.
    public var objectWillChange: ObservableObjectPublisher {
        ObjectPublishers.publisher(of: self) { publisher in
            var mirror: Mirror? = Mirror(reflecting: self)
            while let seen = mirror {
                for child in seen.children { (child.value as? any ObservedProperty)?.observed.tell(publisher) }
                mirror = seen.superclassMirror
            }
        }
    }
}

/// The wrapper of a published property.
protocol ObservedProperty {
    var observed: any ObservedBox { get }
}

/// A published property that uses an object's publisher.
protocol ObservedBox {
    func tell(_ publisher: ObservableObjectPublisher)
}

/// The publishers of objects, as long as those exist.
private enum ObjectPublishers {
    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }
    private static let entries = Guarded<[ObjectIdentifier: Entry]>([:])
    /// How much the table may grow before entries of released objects are removed.
    private static let look = 64

    static func publisher(
        of object: AnyObject, connect: (ObservableObjectPublisher) -> Void
    ) -> ObservableObjectPublisher {
        let (publisher, isNew) = entries.change { entries in
            // An address may be another object's by now.
            if let entry = entries[ObjectIdentifier(object)], entry.object === object {
                return (entry.publisher, false)
            }
            if entries.count % look == look - 1 { entries = entries.filter { $0.value.object != nil } }
            let publisher = ObservableObjectPublisher()
            entries[ObjectIdentifier(object)] = Entry(object: object, publisher: publisher)
            return (publisher, true)
        }
        if isNew { connect(publisher) }
        return publisher
    }
}
