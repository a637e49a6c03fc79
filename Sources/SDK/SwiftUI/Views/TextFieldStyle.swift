/// A style of the kind `TextField`. Of no effect.
public protocol TextFieldStyle {}

/// The style `automatic`.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// Makes it.
    public init() {}
}

extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// The style `automatic`.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}

/// The style `roundedBorder`.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// Makes it.
    public init() {}
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// The style `roundedBorder`.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

/// The style `plain`.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// Makes it.
    public init() {}
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The style `plain`.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}
