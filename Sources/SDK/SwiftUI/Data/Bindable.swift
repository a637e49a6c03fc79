/// Makes bindings to the properties of an observable object.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject> {
    /// The object.
    public var wrappedValue: Value
    /// The wrapper itself.
    public var projectedValue: Bindable<Value> { self }

    /// - Parameter wrappedValue: the object.
    public init(wrappedValue: Value) where Value: Observable { self.wrappedValue = wrappedValue }
    /// - Parameter wrappedValue: the object.
    public init(_ wrappedValue: Value) where Value: Observable { self.wrappedValue = wrappedValue }
    /// The same, for parameters of closures.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    /// The binding to a property.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}

extension Bindable: Identifiable where Value: Identifiable {
    /// The identity of the object.
    public var id: Value.ID { wrappedValue.id }
}

extension Bindable: Sendable where Value: Sendable {}
