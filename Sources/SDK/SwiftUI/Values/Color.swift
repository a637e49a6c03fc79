/// A color. Keeps what it was made from; nothing is painted.
public nonisolated struct Color: Hashable, Sendable {
    private enum Origin: Hashable {
        case named(String)
        case asset(String)
        case parts(Double, Double, Double)
        case other(UIColor)
    }
    private let origin: Origin
    private var strength = 1.0

    /// How the parts of a color are meant.
    public enum RGBColorSpace: Hashable, Sendable {
        /// As on most screens.
        case sRGB
        /// The same, linear.
        case sRGBLinear
        /// As on Apple's newer screens.
        case displayP3
    }

    /// From parts of 0 to 1.
    public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        origin = .parts(red, green, blue)
        strength = opacity
    }
    /// A grey, from 0 for black to 1.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(red: white, green: white, blue: white, opacity: opacity)
    }
    /// From an angle, and parts of 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        self.init(UIColor(hue: hue, saturation: saturation, brightness: brightness, alpha: opacity))
    }
    /// One of the application's own.
    public init(_ name: String, bundle: Bundle? = nil) { origin = .asset(name) }
    /// One of UIKit.
    public init(_ color: UIColor) { origin = .other(color) }
    /// One of UIKit.
    public init(uiColor: UIColor) { origin = .other(uiColor) }
    private init(named name: String) { origin = .named(name) }

    /// The same of another strength, 0 to 1.
    public func opacity(_ opacity: Double) -> Color {
        var copy = self
        copy.strength *= opacity
        return copy
    }
    /// A gradient of the color: the color.
    public var gradient: Color { self }

    /// Red.
    public static let red = Color(named: "red")
    /// Orange.
    public static let orange = Color(named: "orange")
    /// Yellow.
    public static let yellow = Color(named: "yellow")
    /// Green.
    public static let green = Color(named: "green")
    /// Mint.
    public static let mint = Color(named: "mint")
    /// Teal.
    public static let teal = Color(named: "teal")
    /// Cyan.
    public static let cyan = Color(named: "cyan")
    /// Blue.
    public static let blue = Color(named: "blue")
    /// Indigo.
    public static let indigo = Color(named: "indigo")
    /// Purple.
    public static let purple = Color(named: "purple")
    /// Pink.
    public static let pink = Color(named: "pink")
    /// Brown.
    public static let brown = Color(named: "brown")
    /// White.
    public static let white = Color(named: "white")
    /// Gray.
    public static let gray = Color(named: "gray")
    /// Black.
    public static let black = Color(named: "black")
    /// No color.
    public static let clear = Color(named: "clear")
    /// The color of text.
    public static let primary = Color(named: "primary")
    /// The color of less important text.
    public static let secondary = Color(named: "secondary")
    /// The color of what can be used.
    public static let accentColor = Color(named: "accentColor")
}

extension Color: View {
    /// None.
    public typealias Body = Never
}

extension Color: ShapeStyle {}
