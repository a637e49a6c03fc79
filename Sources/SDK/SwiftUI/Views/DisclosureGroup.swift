/// A view that can be hidden.
public struct DisclosureGroup<Label: View, Content: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    /// - Parameters:
    ///   - isExpanded: whether the view is to be seen.
    ///   - content: the view; not called.
    ///   - label: what it says.
    public init(
        isExpanded: Binding<Bool>? = nil, @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder label: () -> Label
    ) { self.label = label() }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - isExpanded: whether the view is to be seen.
    ///   - content: the view; not called.
    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) where Label == Text { label = Text(titleKey) }
}
