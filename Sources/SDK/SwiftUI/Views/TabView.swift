/// Views of which one is to be seen.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - selection: the value; nothing changes it.
    ///   - content: the views.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) { self.content = content() }
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Int { self.content = content() }
}
