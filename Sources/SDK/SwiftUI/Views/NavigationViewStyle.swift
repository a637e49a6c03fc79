/// A style of the kind `NavigationView`. Of no effect.
public protocol NavigationViewStyle {}

/// The style `automatic`.
public struct DefaultNavigationViewStyle: NavigationViewStyle {
    /// Makes it.
    public init() {}
}

extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// The style `automatic`.
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}

/// The style `stack`.
public struct StackNavigationViewStyle: NavigationViewStyle {
    /// Makes it.
    public init() {}
}

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// The style `stack`.
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

/// The style `columns`.
public struct ColumnNavigationViewStyle: NavigationViewStyle {
    /// Makes it.
    public init() {}
}

extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    /// The style `columns`.
    public static var columns: ColumnNavigationViewStyle { ColumnNavigationViewStyle() }
}
