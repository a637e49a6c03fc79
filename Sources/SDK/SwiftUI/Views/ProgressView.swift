/// How far something is.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let value: Double?
}

extension ProgressView where CurrentValueLabel == EmptyView {
    /// It is not known how far.
    public init() where Label == EmptyView { (label, value) = (EmptyView(), nil) }
    /// - Parameter label: what it says.
    public init(@ViewBuilder label: () -> Label) { (self.label, value) = (label(), nil) }
    /// - Parameter titleKey: what it says.
    public init(_ titleKey: LocalizedStringKey) where Label == Text { (label, value) = (Text(titleKey), nil) }
    /// - Parameter title: what it says.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text { (label, value) = (Text(title), nil) }
    /// - Parameters:
    ///   - value: how far.
    ///   - total: the end.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) where Label == EmptyView {
        (label, self.value) = (EmptyView(), value.map { Double($0 / total) })
    }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - value: how far.
    ///   - total: the end.
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1) where Label == Text {
        (label, self.value) = (Text(titleKey), value.map { Double($0 / total) })
    }
}
