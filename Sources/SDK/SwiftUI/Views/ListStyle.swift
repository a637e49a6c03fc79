/// A style of the kind `List`. Of no effect.
public protocol ListStyle {}

/// The style `automatic`.
public struct DefaultListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// The style `automatic`.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

/// The style `plain`.
public struct PlainListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// The style `plain`.
    public static var plain: PlainListStyle { PlainListStyle() }
}

/// The style `grouped`.
public struct GroupedListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// The style `grouped`.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}

/// The style `inset`.
public struct InsetListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// The style `inset`.
    public static var inset: InsetListStyle { InsetListStyle() }
}

/// The style `insetGrouped`.
public struct InsetGroupedListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// The style `insetGrouped`.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// The style `sidebar`.
public struct SidebarListStyle: ListStyle {
    /// Makes it.
    public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// The style `sidebar`.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}
