/// A value of a scene. On iOS it survives the process; here it is kept as long as the property, like `State`.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty {
    private let kept: StateStorage<Value>

    /// - Parameters:
    ///   - wrappedValue: the first value.
    ///   - key: of no effect.
    public init(wrappedValue: Value, _ key: String) { kept = StateStorage(wrappedValue) }

    /// Begins with nil.
    /// - Parameter key: of no effect.
    public init(_ key: String) where Value: ExpressibleByNilLiteral { kept = StateStorage(nil) }

    /// The value.
    public var wrappedValue: Value {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }

    /// Reads and changes the value.
    public var projectedValue: Binding<Value> { Binding(get: { kept.value }, set: { kept.value = $0 }) }
}
