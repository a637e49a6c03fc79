/// A style of the kind `Button`. Of no effect.
public protocol PrimitiveButtonStyle {}

/// The style `automatic`.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
    /// Makes it.
    public init() {}
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The style `automatic`.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

/// The style `plain`.
public struct PlainButtonStyle: PrimitiveButtonStyle {
    /// Makes it.
    public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// The style `plain`.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

/// The style `bordered`.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
    /// Makes it.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// The style `bordered`.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

/// The style `borderedProminent`.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    /// Makes it.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// The style `borderedProminent`.
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

/// The style `borderless`.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    /// Makes it.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// The style `borderless`.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
