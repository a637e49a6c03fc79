/// A font. Keeps what it was made from; nothing is drawn.
public struct Font: Hashable, Sendable {
    private let name: String
    private let size: Double?
    private init(name: String, size: Double? = nil) {
        self.name = name
        self.size = size
    }

    /// The font of a kind of text.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(name: "\(style)")
    }
    /// The system's font.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(name: "system", size: size)
    }
    /// A font by its name.
    public static func custom(_ name: String, size: CGFloat) -> Font { Font(name: name, size: size) }
    /// A font by its name.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font {
        Font(name: name, size: size)
    }

    /// The font as it is.
    public func bold() -> Font { self }
    /// The font as it is.
    public func italic() -> Font { self }
    /// The font as it is.
    public func monospaced() -> Font { self }
    /// The font as it is.
    public func monospacedDigit() -> Font { self }
    /// The font as it is.
    public func smallCaps() -> Font { self }
    /// The font as it is.
    public func weight(_ weight: Weight) -> Font { self }
    /// The font as it is.
    public func leading(_ leading: Leading) -> Font { self }

    /// That of the kind `largeTitle`.
    public static let largeTitle = Font(name: "largeTitle")
    /// That of the kind `title`.
    public static let title = Font(name: "title")
    /// That of the kind `title2`.
    public static let title2 = Font(name: "title2")
    /// That of the kind `title3`.
    public static let title3 = Font(name: "title3")
    /// That of the kind `headline`.
    public static let headline = Font(name: "headline")
    /// That of the kind `subheadline`.
    public static let subheadline = Font(name: "subheadline")
    /// That of the kind `body`.
    public static let body = Font(name: "body")
    /// That of the kind `callout`.
    public static let callout = Font(name: "callout")
    /// That of the kind `footnote`.
    public static let footnote = Font(name: "footnote")
    /// That of the kind `caption`.
    public static let caption = Font(name: "caption")
    /// That of the kind `caption2`.
    public static let caption2 = Font(name: "caption2")

    /// Kinds of text.
    public enum TextStyle: CaseIterable, Sendable {
        /// The kind `largeTitle`.
        case largeTitle
        /// The kind `title`.
        case title
        /// The kind `title2`.
        case title2
        /// The kind `title3`.
        case title3
        /// The kind `headline`.
        case headline
        /// The kind `subheadline`.
        case subheadline
        /// The kind `body`.
        case body
        /// The kind `callout`.
        case callout
        /// The kind `footnote`.
        case footnote
        /// The kind `caption`.
        case caption
        /// The kind `caption2`.
        case caption2
    }
    /// Families of fonts.
    public enum Design: Hashable, Sendable {
        /// As usual.
        case `default`
        /// With serifs.
        case serif
        /// Round.
        case rounded
        /// All letters equally wide.
        case monospaced
    }
    /// How far lines are apart.
    public enum Leading: Hashable, Sendable {
        /// As usual.
        case standard
        /// Little.
        case tight
        /// Much.
        case loose
    }
    /// How thick letters are.
    public struct Weight: Hashable, Sendable {
        let value: Int
        /// 100 of 900.
        public static let ultraLight = Weight(value: 100)
        /// 200 of 900.
        public static let thin = Weight(value: 200)
        /// 300 of 900.
        public static let light = Weight(value: 300)
        /// 400 of 900.
        public static let regular = Weight(value: 400)
        /// 500 of 900.
        public static let medium = Weight(value: 500)
        /// 600 of 900.
        public static let semibold = Weight(value: 600)
        /// 700 of 900.
        public static let bold = Weight(value: 700)
        /// 800 of 900.
        public static let heavy = Weight(value: 800)
        /// 900 of 900.
        public static let black = Weight(value: 900)
    }
}
