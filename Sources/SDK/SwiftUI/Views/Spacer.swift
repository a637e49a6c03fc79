/// Takes the room that is left.
public struct Spacer: View {
    /// None.
    public typealias Body = Never
    /// - Parameter minLength: of no effect.
    public init(minLength: CGFloat? = nil) {}
}

/// A line between views.
public struct Divider: View {
    /// None.
    public typealias Body = Never
    /// Makes it.
    public init() {}
}

/// Switches editing on and off: never.
public struct EditButton: View {
    /// None.
    public typealias Body = Never
    /// Makes it.
    public init() {}
}
