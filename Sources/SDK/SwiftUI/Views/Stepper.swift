/// A value with a button for more and one for less. Nothing changes it.
public struct Stepper<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    /// - Parameters:
    ///   - onIncrement: never called.
    ///   - onDecrement: never called.
    ///   - label: what it says.
    public init(onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, @ViewBuilder label: () -> Label) {
        self.label = label()
    }
}

extension Stepper where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - onIncrement: never called.
    ///   - onDecrement: never called.
    public init(_ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?) {
        self.init(onIncrement: onIncrement, onDecrement: onDecrement) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - onIncrement: never called.
    ///   - onDecrement: never called.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?) {
        self.init(onIncrement: onIncrement, onDecrement: onDecrement) { Text(title) }
    }
}

extension Stepper {
    /// - Parameters:
    ///   - value: the value; nothing changes it.
    ///   - bounds: the least and the greatest value.
    ///   - step: how far values are apart.
    ///   - label: what it says.
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label
    ) { self.label = label() }
}

extension Stepper where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - value: the value; nothing changes it.
    ///   - bounds: the least and the greatest value.
    ///   - step: how far values are apart.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1
    ) { label = Text(titleKey) }
    /// - Parameters:
    ///   - title: what it says.
    ///   - value: the value; nothing changes it.
    ///   - bounds: the least and the greatest value.
    ///   - step: how far values are apart.
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1
    ) { label = Text(title) }
}
