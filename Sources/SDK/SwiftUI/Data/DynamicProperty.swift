/// A property of a view or scene that SwiftUI looks after.
public protocol DynamicProperty {
    /// Called on iOS before the body is evaluated; here never.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}
