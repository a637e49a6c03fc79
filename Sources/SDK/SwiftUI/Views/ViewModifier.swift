/// Changes a view.
@MainActor @preconcurrency public protocol ViewModifier {
    /// The type of the changed view.
    associatedtype Body: View
    /// The view that is changed.
    typealias Content = _ViewModifier_Content<Self>
    /// The changed view. Never called.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view that a modifier changes.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    /// None.
    public typealias Body = Never
}

/// A view with its modifier.
public struct ModifiedContent<Content, Modifier> {
    /// What is changed.
    public var content: Content
    /// The change.
    public var modifier: Modifier
    /// - Parameters:
    ///   - content: what is changed.
    ///   - modifier: the change.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    /// None.
    public typealias Body = Never
}

extension View {
    /// The view with a modifier.
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// Views for Xcode's previews. Never called.
@MainActor @preconcurrency public protocol PreviewProvider {
    /// The type of the views.
    associatedtype Previews: View
    /// The views.
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}
