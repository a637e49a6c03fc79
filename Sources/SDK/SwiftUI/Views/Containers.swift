/// Views that are treated as one.
public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    /// None.
    public typealias Body = Never
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Controls for what a user can set.
public struct Form<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views with a frame.
public struct GroupBox<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Controls that belong together.
public struct ControlGroup<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views that can be larger than the screen.
public struct ScrollView<Content: View>: View {
    /// None.
    public typealias Body = Never
    /// The views.
    public var content: Content
    /// - Parameters:
    ///   - axes: of no effect.
    ///   - showsIndicators: of no effect.
    ///   - content: the views.
    public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// Scrolls to views. There is no screen: the closure is not called.
public struct ScrollViewReader<Content: View>: View {
    /// None.
    public typealias Body = Never
    /// The views.
    public var content: (ScrollViewProxy) -> Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
}

/// Scrolls to a view.
public struct ScrollViewProxy {
    /// Does nothing.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

/// Views that depend on how much room there is. There is no screen: the closure is not called.
public struct GeometryReader<Content: View>: View {
    /// None.
    public typealias Body = Never
    /// The views.
    public var content: (GeometryProxy) -> Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }
}

/// How much room there is: none.
public struct GeometryProxy: Sendable {
    /// None.
    public var size: CGSize { .zero }
    /// None.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
}
