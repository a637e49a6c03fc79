/// Something in a bar.
@MainActor @preconcurrency public protocol ToolbarContent {
    /// The type of what it consists of.
    associatedtype Body: ToolbarContent
    /// What it consists of. Nothing but the application's own code calls it.
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
}

extension ToolbarContent where Body == Never {
    /// Not to be called: it consists of nothing else.
    public var body: Never { NoBody.trap(Self.self) }
}

extension Never: ToolbarContent {}

/// A view in a bar.
public struct ToolbarItem<Content: View>: ToolbarContent {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - placement: where it is.
    ///   - content: the view.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

/// Views in a bar.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - placement: where they are.
    ///   - content: the views.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

/// Several parts of a bar.
struct TupleToolbarContent<Content>: ToolbarContent {
    typealias Body = Never
    let content: Content
}

extension Optional: ToolbarContent where Wrapped: ToolbarContent {}

/// Combines the parts of a bar.
@resultBuilder public enum ToolbarContentBuilder {
    /// A part.
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    /// One part.
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }
    /// Several parts.
    @MainActor @preconcurrency public static func buildBlock<First: ToolbarContent, each Content: ToolbarContent>(
        _ first: First, _ content: repeat each Content
    ) -> some ToolbarContent {
        TupleToolbarContent(content: (first, repeat each content))
    }
    /// A part under a condition.
    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> Content? { content }
    /// A part of a newer version of the system.
    public static func buildLimitedAvailability<Content: ToolbarContent>(_ content: Content) -> Content { content }
}
