/// A style of the kind `Picker`. Of no effect.
public protocol PickerStyle {}

/// The style `automatic`.
public struct DefaultPickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == DefaultPickerStyle {
    /// The style `automatic`.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

/// The style `menu`.
public struct MenuPickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == MenuPickerStyle {
    /// The style `menu`.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// The style `segmented`.
public struct SegmentedPickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == SegmentedPickerStyle {
    /// The style `segmented`.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

/// The style `wheel`.
public struct WheelPickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == WheelPickerStyle {
    /// The style `wheel`.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}

/// The style `inline`.
public struct InlinePickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == InlinePickerStyle {
    /// The style `inline`.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

/// The style `navigationLink`.
public struct NavigationLinkPickerStyle: PickerStyle {
    /// Makes it.
    public init() {}
}

extension PickerStyle where Self == NavigationLinkPickerStyle {
    /// The style `navigationLink`.
    public static var navigationLink: NavigationLinkPickerStyle { NavigationLinkPickerStyle() }
}
