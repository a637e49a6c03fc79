/// Leads to another view.
public struct NavigationLink<Label: View, Destination: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    let destination: Destination?
    /// - Parameters:
    ///   - destination: the other view.
    ///   - label: what leads to it.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination()
        self.label = label()
    }
    /// - Parameters:
    ///   - destination: the other view.
    ///   - label: what leads to it.
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }
    /// - Parameters:
    ///   - destination: the other view.
    ///   - isActive: whether it is to be seen; nothing changes it.
    ///   - label: what leads to it.
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.init(destination: destination, label: label)
    }
    /// - Parameters:
    ///   - destination: the other view.
    ///   - tag: stands for it.
    ///   - selection: what is to be seen; nothing changes it.
    ///   - label: what leads to it.
    public init<V: Hashable>(
        destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label
    ) { self.init(destination: destination, label: label) }
}

extension NavigationLink where Label == Text {
    /// - Parameters:
    ///   - titleKey: what leads to the other view.
    ///   - destination: the other view.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what leads to the other view.
    ///   - destination: the other view.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }
    /// - Parameters:
    ///   - titleKey: what leads to the other view.
    ///   - destination: the other view.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what leads to the other view.
    ///   - destination: the other view.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) {
        self.init(destination: destination) { Text(title) }
    }
}

extension NavigationLink where Destination == Never {
    /// - Parameters:
    ///   - value: stands for the other view.
    ///   - label: what leads to it.
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        destination = nil
        self.label = label()
    }
}

extension NavigationLink where Label == Text, Destination == Never {
    /// - Parameters:
    ///   - titleKey: what leads to the other view.
    ///   - value: stands for it.
    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) { self.init(value: value) { Text(titleKey) } }
    /// - Parameters:
    ///   - title: what leads to the other view.
    ///   - value: stands for it.
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) { self.init(value: value) { Text(title) } }
}
