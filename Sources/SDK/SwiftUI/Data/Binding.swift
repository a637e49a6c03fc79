/// Reads and changes a value that is kept elsewhere.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value, Transaction) -> Void
    /// Kept; nothing is animated.
    public var transaction = Transaction()

    /// - Parameters:
    ///   - get: gives the value.
    ///   - set: takes a new value.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = { value, _ in set(value) }
    }

    /// - Parameters:
    ///   - get: gives the value.
    ///   - set: takes a new value with the binding's transaction.
    public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        self.get = get
        self.set = set
    }

    /// The same binding, for parameters of closures such as `$item`.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// A value that does not change.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue, transaction) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A property of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            get: { get()[keyPath: keyPath] },
            set: { new in
                var whole = get()
                whole[keyPath: keyPath] = new
                set(whole, transaction)
            })
    }

    /// The same binding: nothing is animated.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> { self }

    /// The same value with another transaction, which is kept; nothing is animated.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: DynamicProperty {}

extension Binding {
    /// A value that may become nil. Nil is not stored.
    public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
        self.init(get: { base.wrappedValue }, set: { if let new = $0 { base.wrappedValue = new } })
    }

    /// The value of a binding that is not nil; nil when it is. While it is nil, the last value is read.
    public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        let last = StateStorage(first)
        self.init(
            get: {
                if let value = base.wrappedValue { last.value = value }
                return last.value
            },
            set: { new in
                last.value = new
                base.wrappedValue = new
            })
    }

    /// A value as any value that can be a key.
    public init<Wrapped: Hashable>(_ base: Binding<Wrapped>) where Value == AnyHashable {
        self.init(
            get: { AnyHashable(base.wrappedValue) },
            set: { if let new = $0.base as? Wrapped { base.wrappedValue = new } })
    }
}

extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
}

extension Binding: Sequence where Value: MutableCollection {
    /// Bindings to the elements.
    public typealias Element = Binding<Value.Element>
    /// Iterates over the bindings to the elements.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// Bindings to a part of the elements.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// The collection's.
    public typealias Index = Value.Index
    /// The collection's.
    public typealias Indices = Value.Indices
    /// Where it begins.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// Where it ends.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// All places.
    public var indices: Value.Indices { wrappedValue.indices }
    /// The place after another.
    public func index(after index: Value.Index) -> Value.Index { wrappedValue.index(after: index) }
    /// The binding to an element.
    public subscript(position: Value.Index) -> Binding<Value.Element> {
        Binding<Value.Element>(
            get: { wrappedValue[position] },
            set: { new in
                var whole = wrappedValue
                whole[position] = new
                wrappedValue = whole
            })
    }
}

extension Binding: BidirectionalCollection where Value: BidirectionalCollection & MutableCollection {
    /// The place before another.
    public func index(before index: Value.Index) -> Value.Index { wrappedValue.index(before: index) }
}

extension Binding: RandomAccessCollection where Value: MutableCollection & RandomAccessCollection {}
