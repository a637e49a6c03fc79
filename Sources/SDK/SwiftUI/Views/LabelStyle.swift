/// A style of the kind `Label`. Of no effect.
public protocol LabelStyle {}

/// The style `automatic`.
public struct DefaultLabelStyle: LabelStyle {
    /// Makes it.
    public init() {}
}

extension LabelStyle where Self == DefaultLabelStyle {
    /// The style `automatic`.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

/// The style `titleOnly`.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Makes it.
    public init() {}
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style `titleOnly`.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

/// The style `iconOnly`.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Makes it.
    public init() {}
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style `iconOnly`.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

/// The style `titleAndIcon`.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Makes it.
    public init() {}
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style `titleAndIcon`.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
