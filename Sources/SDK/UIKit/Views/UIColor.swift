/// A color. Stored by other objects; nothing is painted.
open class UIColor: NSObject, @unchecked Sendable {  // immutable
    private let red, green, blue, alpha: CGFloat

    /// From parts of 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// A grey, from 0 for black to 1.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// From an angle, and parts of 0 to 1.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        func part(_ number: CGFloat) -> CGFloat {
            let place = (number + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(place, 4 - place, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
    }

    /// Nil: a plugin has no catalogue of colours.
    public convenience init?(named name: String) { return nil }

    /// The same of another strength, 0 to 1.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// The parts, 0 to 1.
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        unsafe red?.pointee = self.red
        unsafe green?.pointee = self.green
        unsafe blue?.pointee = self.blue
        unsafe alpha?.pointee = self.alpha
        return true
    }

    /// Whether the parts are the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return red == other.red && green == other.green && blue == other.blue && alpha == other.alpha
    }
    open override var hash: Int { [red, green, blue, alpha].hashValue }
}

extension UIColor {
    private static func grey(_ white: CGFloat) -> UIColor { UIColor(white: white, alpha: 1) }
    private static func rgb(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> UIColor {
        UIColor(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
    }

    /// Nothing to be seen.
    public class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    /// Black.
    public class var black: UIColor { grey(0) }
    /// White.
    public class var white: UIColor { grey(1) }
    /// Half of white.
    public class var gray: UIColor { grey(0.5) }
    /// A third of white.
    public class var darkGray: UIColor { grey(1 / 3) }
    /// Two thirds of white.
    public class var lightGray: UIColor { grey(2 / 3) }
    /// Red.
    public class var red: UIColor { rgb(255, 0, 0) }
    /// Green.
    public class var green: UIColor { rgb(0, 255, 0) }
    /// Blue.
    public class var blue: UIColor { rgb(0, 0, 255) }
    /// Yellow.
    public class var yellow: UIColor { rgb(255, 255, 0) }
    /// Orange.
    public class var orange: UIColor { rgb(255, 128, 0) }
    /// Purple.
    public class var purple: UIColor { rgb(128, 0, 128) }
    /// Brown.
    public class var brown: UIColor { rgb(153, 102, 51) }
    /// Cyan.
    public class var cyan: UIColor { rgb(0, 255, 255) }
    /// Magenta.
    public class var magenta: UIColor { rgb(255, 0, 255) }
    /// The system's, of the light style.
    public class var systemRed: UIColor { rgb(255, 59, 48) }
    /// The system's, of the light style.
    public class var systemGreen: UIColor { rgb(52, 199, 89) }
    /// The system's, of the light style.
    public class var systemBlue: UIColor { rgb(0, 122, 255) }
    /// The system's, of the light style.
    public class var systemYellow: UIColor { rgb(255, 204, 0) }
    /// The system's, of the light style.
    public class var systemOrange: UIColor { rgb(255, 149, 0) }
    /// The system's, of the light style.
    public class var systemGray: UIColor { rgb(142, 142, 147) }
    /// The system's, of the light style.
    public class var systemBackground: UIColor { grey(1) }
    /// The system's, of the light style.
    public class var secondarySystemBackground: UIColor { rgb(242, 242, 247) }
    /// The system's, of the light style.
    public class var label: UIColor { grey(0) }
    /// The system's, of the light style.
    public class var secondaryLabel: UIColor { rgb(60, 60, 67).withAlphaComponent(0.6) }
    /// The system's, of the light style.
    public class var separator: UIColor { rgb(60, 60, 67).withAlphaComponent(0.29) }
    /// The system's, of the light style.
    public class var tintColor: UIColor { systemBlue }
}
