/// Sizes that follow the one that the user prefers. That is always the one of a new device, at which nothing is scaled.
open class UIFontMetrics: NSObject, @unchecked Sendable {  // immutable
    /// Those of text.
    open class var `default`: UIFontMetrics { UIFontMetrics(forTextStyle: .body) }
    /// - Parameter textStyle: of no effect.
    public init(forTextStyle textStyle: UIFont.TextStyle) { super.init() }
    /// The same font.
    open func scaledFont(for font: UIFont) -> UIFont { font }
    /// The same font, of no more than so many points.
    open func scaledFont(for font: UIFont, maximumPointSize: CGFloat) -> UIFont {
        maximumPointSize > 0 && font.pointSize > maximumPointSize ? font.withSize(maximumPointSize) : font
    }
    /// The same font.
    open func scaledFont(for font: UIFont, compatibleWith traitCollection: UITraitCollection?) -> UIFont { font }
    /// The same font, of no more than so many points.
    open func scaledFont(
        for font: UIFont, maximumPointSize: CGFloat, compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont { scaledFont(for: font, maximumPointSize: maximumPointSize) }
    /// The same number.
    open func scaledValue(for value: CGFloat) -> CGFloat { value }
    /// The same number.
    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat { value }
}
