/// A value with what it is.
public struct LabeledContent<Label: View, Content: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let content: Content
    /// - Parameters:
    ///   - content: the value.
    ///   - label: what it is.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }
    /// - Parameters:
    ///   - titleKey: what it is.
    ///   - content: the value.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        (self.content, label) = (content(), Text(titleKey))
    }
    /// - Parameters:
    ///   - titleKey: what it is.
    ///   - value: the value.
    public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) where Label == Text, Content == Text {
        (content, label) = (Text(value), Text(titleKey))
    }
}
