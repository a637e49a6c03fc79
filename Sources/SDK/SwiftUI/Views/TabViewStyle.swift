/// A style of the kind `TabView`. Of no effect.
public protocol TabViewStyle {}

/// The style `automatic`.
public struct DefaultTabViewStyle: TabViewStyle {
    /// Makes it.
    public init() {}
}

extension TabViewStyle where Self == DefaultTabViewStyle {
    /// The style `automatic`.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}

/// The style `page`.
public struct PageTabViewStyle: TabViewStyle {
    /// Makes it.
    public init() {}
    /// Makes it.
    public init(indexDisplayMode: IndexDisplayMode) {}

    /// When dots are to be seen.
    public struct IndexDisplayMode: Sendable {
        /// When there are several views.
        public static let automatic = IndexDisplayMode()
        /// Always.
        public static let always = IndexDisplayMode()
        /// Never.
        public static let never = IndexDisplayMode()
    }
}

extension TabViewStyle where Self == PageTabViewStyle {
    /// The style `page`.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
    /// The style `page`.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle()
    }
}
