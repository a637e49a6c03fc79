/// Makes the look of a `Label`.
@MainActor @preconcurrency public protocol LabelStyle {
    /// The type of the look.
    associatedtype Body: View
    /// What has the look.
    typealias Configuration = LabelStyleConfiguration
    /// The look. Never called.
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}

/// A `Label` for its style.
public struct LabelStyleConfiguration {
    /// The text.
    public struct Title: View {
        /// None.
        public typealias Body = Never
    }
    /// The symbol.
    public struct Icon: View {
        /// None.
        public typealias Body = Never
    }
    /// The text.
    public var title: Title { Title() }
    /// The symbol.
    public var icon: Icon { Icon() }
}

/// The style `automatic`.
public struct DefaultLabelStyle: LabelStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The text.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

extension LabelStyle where Self == DefaultLabelStyle {
    /// The style `automatic`.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

/// The style `titleOnly`.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The text.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style `titleOnly`.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

/// The style `iconOnly`.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The text.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style `iconOnly`.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

/// The style `titleAndIcon`.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The text.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style `titleAndIcon`.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
