/// Views from top to bottom.
public struct VStack<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - content: the views.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    { self.content = content() }
}

/// Views from left to right.
public struct HStack<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - content: the views.
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

/// Views one on another.
public struct ZStack<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - content: the views.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views from top to bottom, made as they are seen on iOS; here with the stack.
public struct LazyVStack<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - pinnedViews: of no effect.
    ///   - content: the views.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// Views from left to right, made as they are seen on iOS; here with the stack.
public struct LazyHStack<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - pinnedViews: of no effect.
    ///   - content: the views.
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// Views in columns.
public struct LazyVGrid<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - columns: of no effect.
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - pinnedViews: of no effect.
    ///   - content: the views.
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// Views in rows.
public struct LazyHGrid<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - rows: of no effect.
    ///   - alignment: of no effect.
    ///   - spacing: of no effect.
    ///   - pinnedViews: of no effect.
    ///   - content: the views.
    public init(
        rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// A column or a row of a grid.
public struct GridItem: Sendable {
    /// How wide it is.
    public enum Size: Sendable {
        /// That wide.
        case fixed(CGFloat)
        /// As wide as there is room.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// Several of at least that width.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    /// How wide it is.
    public var size: Size
    /// How far it is from the next.
    public var spacing: CGFloat?
    /// Where its views are.
    public var alignment: Alignment?
    /// - Parameters:
    ///   - size: how wide it is.
    ///   - spacing: how far it is from the next.
    ///   - alignment: where its views are.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// Headers and footers that stay while the rest scrolls.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt32
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Headers.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// Footers.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
