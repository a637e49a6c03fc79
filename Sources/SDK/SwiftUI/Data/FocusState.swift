/// Which control has the focus. It keeps what it is set to; nothing has the focus.
@propertyWrapper public struct FocusState<Value: Hashable>: DynamicProperty {
    private let kept: StateStorage<Value>

    /// Begins with false.
    public init() where Value == Bool { kept = StateStorage(false) }
    /// Begins with nil.
    public init<Wrapped: Hashable>() where Value == Wrapped? { kept = StateStorage(nil) }

    /// The value.
    public var wrappedValue: Value {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }

    /// For the modifiers `focused`.
    public var projectedValue: Binding { Binding(kept: kept) }

    /// Reads and changes which control has the focus.
    @propertyWrapper public struct Binding {
        let kept: StateStorage<Value>
        /// The value.
        public var wrappedValue: Value {
            get { kept.value }
            nonmutating set { kept.value = newValue }
        }
        /// The binding itself.
        public var projectedValue: Binding { self }
    }
}
