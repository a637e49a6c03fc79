internal import TaskHostRuntime

/// A value of the application's environment: `\.scenePhase` follows its state, others are the defaults. What a view's
/// modifiers set is not found, because no view is drawn.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    private let read: () -> Value

    /// - Parameter keyPath: the value.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { ApplicationEnvironment.values[keyPath: keyPath] }
    }

    /// An observable object of the environment. There is none: to read it ends the process with the framework's message.
    /// - Parameter objectType: the object's class.
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        read = {
            Misuse.trap(
                "No Observable object of type \(Value.self) found. A View.environmentObject(_:) for \(Value.self) may be "
                    + "missing as an ancestor of this view.",
                advice: "views are not drawn in a worker and have no environment; pass the object as an argument")
        }
    }

    /// An observable object of the environment, which is nil.
    /// - Parameter objectType: the object's class.
    public init<Object: AnyObject & Observable>(_ objectType: Object.Type) where Value == Object? {
        read = { nil }
    }

    /// The value.
    public var wrappedValue: Value { read() }
}

extension Environment: @unchecked Sendable where Value: Sendable {}
