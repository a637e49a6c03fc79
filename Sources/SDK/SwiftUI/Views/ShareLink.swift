/// Gives something to other applications: never.
public struct ShareLink<Data, Label: View>: View {
    /// None.
    public typealias Body = Never
    let item: Data
    let label: Label
    /// - Parameters:
    ///   - item: a page.
    ///   - label: what it looks like.
    public init(item: URL, @ViewBuilder label: () -> Label) where Data == URL {
        (self.item, self.label) = (item, label())
    }
    /// - Parameters:
    ///   - item: a text.
    ///   - label: what it looks like.
    public init(item: String, @ViewBuilder label: () -> Label) where Data == String {
        (self.item, self.label) = (item, label())
    }
}
