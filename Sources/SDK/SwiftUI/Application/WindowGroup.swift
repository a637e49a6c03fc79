/// Windows of one kind. Nothing is drawn: the view is made, and its body is never called.
public struct WindowGroup<Content: View>: Scene {
    /// None.
    public typealias Body = Never
    let content: Content?

    /// - Parameter content: the view of a window.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    /// - Parameters:
    ///   - id: names the group.
    ///   - content: the view of a window.
    public init(id: String, @ViewBuilder content: () -> Content) { self.content = content() }
    /// - Parameters:
    ///   - titleKey: the title.
    ///   - content: the view of a window.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { self.content = content() }
    /// - Parameters:
    ///   - titleKey: the title.
    ///   - id: names the group.
    ///   - content: the view of a window.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    /// - Parameters:
    ///   - title: the title.
    ///   - content: the view of a window.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) { self.content = content() }
    /// Windows for values. None is opened: the closure is never called.
    /// - Parameters:
    ///   - id: names the group.
    ///   - type: the type of the values.
    ///   - content: the view of a window for a value.
    public init<Value: Decodable & Encodable & Hashable>(
        id: String? = nil, for type: Value.Type, @ViewBuilder content: @escaping (Binding<Value?>) -> Content
    ) { self.content = nil }
}

extension WindowGroup: WindowScene {}

/// A single window, never drawn.
public struct Window<Content: View>: Scene {
    /// None.
    public typealias Body = Never
    let content: Content

    /// - Parameters:
    ///   - titleKey: the title.
    ///   - id: names the window.
    ///   - content: the view of the window.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension Window: WindowScene {}

/// The window of an application's settings, never drawn. Of macOS.
public struct Settings<Content: View>: Scene {
    /// None.
    public typealias Body = Never
    let content: Content

    /// - Parameter content: the view of the window.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension Settings: WindowScene {}
