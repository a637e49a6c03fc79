/// The style of an interface.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Unknown.
    case unspecified = 0
    /// Dark on light.
    case light = 1
    /// Light on dark.
    case dark = 2
}

/// How much room there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Unknown.
    case unspecified = 0
    /// Little.
    case compact = 1
    /// Enough.
    case regular = 2
}

/// The direction of an interface.
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    /// As English is written.
    case leftToRight = 0
    /// As Arabic is written.
    case rightToLeft = 1
}

/// The size of text that the user prefers.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String
    /// - Parameter rawValue: its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No size.
    public static let unspecified = UIContentSizeCategory(rawValue: "_UICTContentSizeCategoryUnspecified")
    /// Small.
    public static let small = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryS")
    /// Between small and large.
    public static let medium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryM")
    /// That of a new device, and the one that is always preferred here.
    public static let large = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
    /// Larger.
    public static let extraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXL")
    /// For those who see little.
    public static let accessibilityLarge = UIContentSizeCategory(
        rawValue: "UICTContentSizeCategoryAccessibilityL")
    /// Whether it is one for those who see little.
    public var isAccessibilityCategory: Bool { rawValue.hasPrefix("UICTContentSizeCategoryAccessibility") }
    /// Never posted.
    public static let didChangeNotification = Notification.Name("UIContentSizeCategoryDidChangeNotification")
}

/// The circumstances of an interface: those of no screen, unless they were given.
open class UITraitCollection: NSObject, @unchecked Sendable {  // immutable
    /// The style of the interface.
    public let userInterfaceStyle: UIUserInterfaceStyle
    /// How much room there is from left to right.
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    /// How much room there is from top to bottom.
    public let verticalSizeClass: UIUserInterfaceSizeClass
    /// The kind of the interface: unknown.
    open var userInterfaceIdiom: UIDevice.UserInterfaceIdiom { .unspecified }
    /// The size of text: as on a new device.
    open var preferredContentSizeCategory: UIContentSizeCategory { .large }
    /// Pixels for each point: unknown.
    open var displayScale: CGFloat { 0 }

    private init(
        _ style: UIUserInterfaceStyle, _ horizontal: UIUserInterfaceSizeClass, _ vertical: UIUserInterfaceSizeClass
    ) {
        (userInterfaceStyle, horizontalSizeClass, verticalSizeClass) = (style, horizontal, vertical)
        super.init()
    }
    /// Makes one that says nothing.
    public override convenience init() { self.init(.unspecified, .unspecified, .unspecified) }
    /// - Parameter style: the style of the interface.
    public convenience init(userInterfaceStyle style: UIUserInterfaceStyle) {
        self.init(style, .unspecified, .unspecified)
    }
    /// - Parameter horizontalSizeClass: how much room there is from left to right.
    public convenience init(horizontalSizeClass: UIUserInterfaceSizeClass) {
        self.init(.unspecified, horizontalSizeClass, .unspecified)
    }
    /// - Parameter verticalSizeClass: how much room there is from top to bottom.
    public convenience init(verticalSizeClass: UIUserInterfaceSizeClass) {
        self.init(.unspecified, .unspecified, verticalSizeClass)
    }
    /// The circumstances of the interface: unspecified.
    open class var current: UITraitCollection { none }
    static let none = UITraitCollection()
}
