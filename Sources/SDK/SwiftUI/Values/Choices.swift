/// Light or dark.
public enum ColorScheme: CaseIterable, Hashable, Sendable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
}

/// How much room there is.
public enum UserInterfaceSizeClass: Hashable, Sendable {
    /// Little.
    case compact
    /// Enough.
    case regular
}

/// How large text is.
public enum DynamicTypeSize: CaseIterable, Comparable, Hashable, Sendable {
    /// Size 1 of 12.
    case xSmall
    /// Size 2 of 12.
    case small
    /// Size 3 of 12.
    case medium
    /// Size 4 of 12.
    case large
    /// Size 5 of 12.
    case xLarge
    /// Size 6 of 12.
    case xxLarge
    /// Size 7 of 12.
    case xxxLarge
    /// Size 8 of 12.
    case accessibility1
    /// Size 9 of 12.
    case accessibility2
    /// Size 10 of 12.
    case accessibility3
    /// Size 11 of 12.
    case accessibility4
    /// Size 12 of 12.
    case accessibility5
}

/// The direction of text.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft
}

/// How an image takes its room.
public enum ContentMode: CaseIterable, Hashable, Sendable {
    /// It is seen as a whole.
    case fit
    /// Nothing is left empty.
    case fill
}

/// Where lines of text begin.
public enum TextAlignment: CaseIterable, Hashable, Sendable {
    /// Where the text begins.
    case leading
    /// In the middle.
    case center
    /// Where the text ends.
    case trailing
}

/// Whether something is to be seen.
public enum Visibility: CaseIterable, Hashable, Sendable {
    /// As usual.
    case automatic
    /// It is.
    case visible
    /// It is not.
    case hidden
}

/// Whether a list is edited.
public enum EditMode: Hashable, Sendable {
    /// It is not.
    case inactive
    /// For a moment.
    case transient
    /// It is.
    case active

    /// Whether it is edited.
    public var isEditing: Bool { self != .inactive }
}

/// How large controls are.
public enum ControlSize: CaseIterable, Hashable, Sendable {
    /// The smallest.
    case mini
    /// Small.
    case small
    /// As usual.
    case regular
    /// Large.
    case large
    /// The largest.
    case extraLarge
}

/// The form of rounded corners.
public enum RoundedCornerStyle: Hashable, Sendable {
    /// A part of a circle.
    case circular
    /// Softer.
    case continuous
}
