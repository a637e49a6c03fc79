/// A widget that the user has added. There is none.
public struct WidgetInfo: Hashable, Identifiable, Sendable {
    /// Names the kind of widget.
    public let kind: String
    /// How large it is.
    public let family: WidgetFamily
    /// Itself.
    public var id: WidgetInfo { self }
}

/// The sizes of widgets.
public enum WidgetFamily: Int, CaseIterable, Hashable, Sendable {
    /// Small.
    case systemSmall = 0
    /// Medium.
    case systemMedium = 1
    /// Large.
    case systemLarge = 2
    /// Very large.
    case systemExtraLarge = 3
    /// A circle of a watch or of a lock screen.
    case accessoryCircular = 5
    /// A rectangle of a watch or of a lock screen.
    case accessoryRectangular = 6
    /// A line of a watch or of a lock screen.
    case accessoryInline = 7
}
