/// A choice. Nothing is chosen.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let content: Content
    /// - Parameters:
    ///   - selection: the value; nothing changes it.
    ///   - content: the choices.
    ///   - label: what it says.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.label = label()
        self.content = content()
    }
    /// - Parameters:
    ///   - selection: the value; nothing changes it.
    ///   - label: what it says.
    ///   - content: the choices.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        self.label = label
        self.content = content()
    }
}

extension Picker where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - content: the choices.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(titleKey) } }
    /// - Parameters:
    ///   - title: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - content: the choices.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(title) } }
}

/// A number between two others. Nothing changes it.
public struct Slider: View {
    /// None.
    public typealias Body = Never
    /// - Parameters:
    ///   - value: the value; nothing changes it.
    ///   - bounds: the least and the greatest value.
    ///   - step: how far values are apart.
    ///   - onEditingChanged: never called.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, step: V.Stride? = nil,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {}
}
