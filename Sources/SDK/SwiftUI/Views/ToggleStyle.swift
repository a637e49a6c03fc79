/// A style of the kind `Toggle`. Of no effect.
public protocol ToggleStyle {}

/// The style `automatic`.
public struct DefaultToggleStyle: ToggleStyle {
    /// Makes it.
    public init() {}
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// The style `automatic`.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// The style `switch`.
public struct SwitchToggleStyle: ToggleStyle {
    /// Makes it.
    public init() {}
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style `switch`.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

/// The style `button`.
public struct ButtonToggleStyle: ToggleStyle {
    /// Makes it.
    public init() {}
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style `button`.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
