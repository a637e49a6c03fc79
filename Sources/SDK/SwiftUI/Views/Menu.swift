/// Actions that come up when it is tapped: never.
public struct Menu<Label: View, Content: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let content: Content
    /// - Parameters:
    ///   - content: the actions.
    ///   - label: what it looks like.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - content: the actions.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        (self.content, label) = (content(), Text(titleKey))
    }
}
