/// A value that a view gives to those that contain it. None is collected.
public protocol PreferenceKey {
    /// The type of the value.
    associatedtype Value
    /// The value of a view that gives none.
    static var defaultValue: Value { get }
    /// Combines two values. Never called.
    static func reduce(value: inout Value, nextValue: () -> Value)
}
