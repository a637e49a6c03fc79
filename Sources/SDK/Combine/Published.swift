/// A property that announces changes in advance: the new value to its subscribers, and `objectWillChange` of its
/// object.
@propertyWrapper public struct Published<Value> {
    let box: PublishedBox<Value>

    /// - Parameter wrappedValue: the first value.
    public init(wrappedValue: Value) { box = PublishedBox(wrappedValue) }
    /// - Parameter initialValue: the first value.
    public init(initialValue: Value) { box = PublishedBox(initialValue) }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.change(to: newValue) }
    }

    /// Sends the value, and each new one before it takes effect.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        // Its own comes back from `assign(to: &$property)`.
        set { if newValue.box !== box { box.follow(newValue) } }
    }

    /// Sends the values of a property.
    public struct Publisher: Combine.Publisher {
        /// It does not fail.
        public typealias Failure = Never
        /// The property's values.
        public typealias Output = Value
        let box: PublishedBox<Value>
        /// Attaches a subscriber, which receives the value at once.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.add(AnySubscriber(subscriber))
        }
    }
}

/// The storage of a published property.
final class PublishedBox<Value>: @unchecked Sendable {  // all have locks
    private let current: Guarded<Value>
    private let audience = Audience<Value, Never>()
    private let object = Guarded<ObservableObjectPublisher?>(nil)
    private let followed = Guarded<AnyCancellable?>(nil)

    init(_ value: Value) { current = Guarded(value) }

    var value: Value { current.value }

    func change(to value: Value) {
        object.value?.send()
        audience.send(value)
        current.change { $0 = value }
    }

    func add(_ subscriber: AnySubscriber<Value, Never>) {
        audience.add(subscriber) { [current] in current.value }
    }

    /// Takes the values of a publisher instead of those of the one before.
    func follow<P: Combine.Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        let cancellable = publisher.sink { [weak self] in self?.change(to: $0) }
        let old = followed.change { followed in
            defer { followed = cancellable }
            return followed
        }
        old?.cancel()
    }
}

extension Published: ObservedProperty {
    var observed: any ObservedBox { box }
}

extension PublishedBox: ObservedBox {
    func tell(_ publisher: ObservableObjectPublisher) { object.change { $0 = publisher } }
}
