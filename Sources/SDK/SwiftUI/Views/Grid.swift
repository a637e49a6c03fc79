/// Views in rows and columns.
public struct Grid<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - horizontalSpacing: of no effect.
    ///   - verticalSpacing: of no effect.
    ///   - content: the rows.
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}

/// A row of a grid.
public struct GridRow<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - alignment: of no effect.
    ///   - content: the views.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
}

/// The first of some views for which there is room.
public struct ViewThatFits<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - axes: of no effect.
    ///   - content: the views.
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}
