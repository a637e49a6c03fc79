/// Makes the look of a `Toggle`.
@MainActor @preconcurrency public protocol ToggleStyle {
    /// The type of the look.
    associatedtype Body: View
    /// What has the look.
    typealias Configuration = ToggleStyleConfiguration
    /// The look. Never called.
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}

/// A `Toggle` for its style.
public struct ToggleStyleConfiguration {
    /// What the switch says.
    public struct Label: View {
        /// None.
        public typealias Body = Never
    }
    /// What the switch says.
    public let label: Label
    /// Whether it is on.
    @Binding public var isOn: Bool
}

/// The style `automatic`.
public struct DefaultToggleStyle: ToggleStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// The style `automatic`.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// The style `switch`.
public struct SwitchToggleStyle: ToggleStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style `switch`.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

/// The style `button`.
public struct ButtonToggleStyle: ToggleStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style `button`.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
