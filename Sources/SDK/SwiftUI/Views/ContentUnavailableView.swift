/// Says that there is nothing.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let description: Description
    let actions: Actions
    /// - Parameters:
    ///   - label: what there is not.
    ///   - description: why.
    ///   - actions: what can be done.
    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) { (self.label, self.description, self.actions) = (label(), description(), actions()) }
    /// - Parameters:
    ///   - title: what there is not.
    ///   - systemImage: one of the system's symbols.
    ///   - description: why.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil)
    where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
        (label, self.description, actions) = (SwiftUI.Label(title, systemImage: name), description, EmptyView())
    }
}
