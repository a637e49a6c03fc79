/// Names for the parts of an animation. Nothing is animated.
@propertyWrapper public struct Namespace: DynamicProperty {
    /// A name.
    public struct ID: Hashable, Sendable { private let value = UUID() }
    /// The name.
    public let wrappedValue = ID()
    /// Makes a name.
    public init() {}
}
