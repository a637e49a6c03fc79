/// Opens a page: never.
public struct Link<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let destination: URL
    /// - Parameters:
    ///   - destination: the page.
    ///   - label: what it looks like.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        (self.destination, self.label) = (destination, label())
    }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - destination: the page.
    public init(_ titleKey: LocalizedStringKey, destination: URL) where Label == Text {
        (self.destination, label) = (destination, Text(titleKey))
    }
}
