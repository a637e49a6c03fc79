internal import TaskHostRuntime

/// A part of an interface. Views are values: they are made, and keep what they are given, but nothing is drawn, and SwiftUI
/// calls the `body` of none.
@MainActor @preconcurrency public protocol View {
    /// The type of its content.
    associatedtype Body: View
    /// Its content. Nothing but the application's own code calls it.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
    /// Not to be called: the view has no other content.
    public var body: Never { NoBody.trap(Self.self) }
}

extension Never: View {
    /// None.
    public typealias Body = Never
    /// There is none to call it on.
    public var body: Never { NoBody.trap(Self.self) }
}

enum NoBody {
    static func trap(_ type: Any.Type) -> Never {
        Misuse.trap(
            "body() should not be called on \(type).",
            advice: "it is one of SwiftUI's own; ask your own types for theirs")
    }
}

/// No view.
public struct EmptyView: View {
    /// None.
    public typealias Body = Never
    /// Makes it.
    public nonisolated init() {}
}

/// A view of any type.
public struct AnyView: View {
    /// None.
    public typealias Body = Never
    let view: any View
    /// - Parameter view: the view.
    public init<V: View>(_ view: V) { self.view = view }
    /// - Parameter view: the view.
    public init<V: View>(erasing view: V) { self.view = view }
}

/// Several views.
public struct TupleView<T>: View {
    /// None.
    public typealias Body = Never
    /// The views.
    public var value: T
    /// - Parameter value: the views.
    public init(_ value: T) { self.value = value }
}

/// One of two views.
public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case trueContent(TrueContent)
        case falseContent(FalseContent)
    }
    let storage: Storage
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    /// None.
    public typealias Body = Never
}

extension Optional: View where Wrapped: View {
    /// None.
    public typealias Body = Never
}

/// Combines the views of a body.
@resultBuilder public enum ViewBuilder {
    /// A view.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    /// No view.
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// One view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Several views.
    @MainActor @preconcurrency public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
    /// A view under a condition.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// The first of two views.
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent(storage: .trueContent(first))
    }
    /// The second of two views.
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent(storage: .falseContent(second))
    }
    /// A view of a newer version of the system.
    @MainActor @preconcurrency public static func buildLimitedAvailability<Content: View>(
        _ content: Content
    ) -> AnyView { AnyView(content) }
}
