internal import TaskHostRuntime

/// An object of the environment. No view is drawn, so that none is found: to read it ends the process with the framework's
/// message.
@MainActor @preconcurrency @propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
    /// Finds the object when it is read.
    nonisolated public init() {}

    /// The object.
    public var wrappedValue: ObjectType {
        Misuse.trap(
            "No ObservableObject of type \(ObjectType.self) found. A View.environmentObject(_:) for \(ObjectType.self) "
                + "may be missing as an ancestor of this view.",
            advice: "views are not drawn in a worker and have no environment; pass the object as an argument")
    }

    /// Makes bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(wrappedValue) }

    /// Makes bindings to an object's properties.
    @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
        private let object: ObjectType
        init(_ object: ObjectType) { self.object = object }
        /// The binding to a property.
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> { ObservedObject.Wrapper(object)[dynamicMember: keyPath] }
    }
}
