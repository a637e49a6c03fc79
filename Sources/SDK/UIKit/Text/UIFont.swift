/// A font. Stored by other objects; no text is drawn, and nothing is known about the fonts of the machine.
open class UIFont: NSObject, @unchecked Sendable {  // immutable
    /// Strengths of strokes.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        /// From -1 to 1.
        public let rawValue: CGFloat
        /// - Parameter rawValue: from -1 to 1.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        /// - Parameter rawValue: from -1 to 1.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
        /// Least.
        public static let ultraLight = Weight(rawValue: -0.8)
        /// Very little.
        public static let thin = Weight(rawValue: -0.6)
        /// Less than usual.
        public static let light = Weight(rawValue: -0.4)
        /// Usual.
        public static let regular = Weight(rawValue: 0)
        /// More than usual.
        public static let medium = Weight(rawValue: 0.23)
        /// Nearly bold.
        public static let semibold = Weight(rawValue: 0.3)
        /// Bold.
        public static let bold = Weight(rawValue: 0.4)
        /// More than bold.
        public static let heavy = Weight(rawValue: 0.56)
        /// Most.
        public static let black = Weight(rawValue: 0.62)
    }
    /// The purpose of a text.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String
        /// - Parameter rawValue: its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name of the whole.
        public static let largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0")
        /// A name of the first rank.
        public static let title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1")
        /// A name of the second rank.
        public static let title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2")
        /// A name of the third rank.
        public static let title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3")
        /// The name of a part.
        public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
        /// What stands below a name.
        public static let subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead")
        /// Text.
        public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
        /// What stands beside text.
        public static let callout = TextStyle(rawValue: "UICTFontTextStyleCallout")
        /// What stands below text.
        public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
        /// Small text.
        public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
        /// The smallest text.
        public static let caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")
    }
    /// The size in points.
    public let pointSize: CGFloat
    /// Its name.
    public let fontName: String
    private init(_ size: CGFloat, _ name: String = "system") { (pointSize, fontName) = (size, name) }
    /// A font of this name: nothing checks that it exists.
    public convenience init?(name fontName: String, size fontSize: CGFloat) { self.init(fontSize, fontName) }
    /// The same of another size.
    open func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontSize, fontName) }
    /// The system's.
    public class func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(size) }
    /// The system's.
    public class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size) }
    /// The system's, bold.
    public class func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(size) }
    /// The system's, slanting.
    public class func italicSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(size) }
    /// The system's, whose characters are all of one width.
    public class func monospacedSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size) }
    /// The system's, whose digits are all of one width.
    public class func monospacedDigitSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size) }
    /// The system's, of the size that the style has on a new device.
    public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(sizes[style] ?? 17) }
    private static let sizes: [TextStyle: CGFloat] = [
        .largeTitle: 34, .title1: 28, .title2: 22, .title3: 20, .headline: 17, .body: 17, .callout: 16,
        .subheadline: 15, .footnote: 13, .caption1: 12, .caption2: 11,
    ]
    /// Points of small text.
    public class var smallSystemFontSize: CGFloat { 12 }
    /// Points of text.
    public class var systemFontSize: CGFloat { 14 }
    /// Points of text on a label.
    public class var labelFontSize: CGFloat { 17 }
    /// Points of text on a button.
    public class var buttonFontSize: CGFloat { 18 }
}
