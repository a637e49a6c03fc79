/// A value that a view, a scene or the application keeps. It keeps what it is set to, wherever it is used; when a property of
/// the application or of a scene changes, the scenes are evaluated again.
@propertyWrapper public struct State<Value>: DynamicProperty {
    private let kept: StateStorage<Value>

    /// - Parameter value: the first value.
    public init(wrappedValue value: Value) { kept = StateStorage(value) }
    /// - Parameter value: the first value.
    public init(initialValue value: Value) { kept = StateStorage(value) }

    /// The value.
    public var wrappedValue: Value {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }

    /// Reads and changes the value.
    public var projectedValue: Binding<Value> { Binding(get: { kept.value }, set: { kept.value = $0 }) }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

extension State: StoredProperty {
    var storage: any Storage { kept }
}
