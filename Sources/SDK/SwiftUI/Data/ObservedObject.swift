/// An object that is kept elsewhere. When one of the application's changes, the scenes are evaluated again.
@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty
{
    private var kept: ObjectStorage<ObjectType>

    /// - Parameter wrappedValue: the object.
    nonisolated public init(wrappedValue: ObjectType) { kept = ObjectStorage { wrappedValue } }
    /// - Parameter initialValue: the object.
    nonisolated public init(initialValue: ObjectType) { self.init(wrappedValue: initialValue) }

    /// The object.
    public var wrappedValue: ObjectType {
        get { kept.object }
        set { kept = ObjectStorage { newValue } }
    }

    /// Makes bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(kept.object) }

    /// Makes bindings to an object's properties.
    @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
        private let object: ObjectType
        init(_ object: ObjectType) { self.object = object }
        /// The binding to a property.
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }
}

/// The object of an application's property is the one that the property has now: nothing is followed.
extension ObservedObject: StoredProperty {
    nonisolated var storage: any Storage { ObservedStorage(kept) }
}

private final class ObservedStorage<Object: ObservableObject>: Storage {
    private let kept: ObjectStorage<Object>
    init(_ kept: ObjectStorage<Object>) { self.kept = kept }
    func follow(_ earlier: any Storage) {}
    func watch(_ changed: @escaping @Sendable () -> Void) { kept.watch(changed) }
}
