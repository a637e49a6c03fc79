/// What a shape or a text can be painted with. Nothing is painted.
public protocol ShapeStyle: Sendable {}

extension ShapeStyle {
    /// The style as it is.
    public func opacity(_ opacity: Double) -> some ShapeStyle { self }
}

/// A style of any type.
public struct AnyShapeStyle: ShapeStyle {
    let style: any ShapeStyle
    /// - Parameter style: the style.
    public init<S: ShapeStyle>(_ style: S) { self.style = style }
}

extension ShapeStyle where Self == Color {
    /// Red.
    public static var red: Color { Color.red }
    /// Orange.
    public static var orange: Color { Color.orange }
    /// Yellow.
    public static var yellow: Color { Color.yellow }
    /// Green.
    public static var green: Color { Color.green }
    /// Mint.
    public static var mint: Color { Color.mint }
    /// Teal.
    public static var teal: Color { Color.teal }
    /// Cyan.
    public static var cyan: Color { Color.cyan }
    /// Blue.
    public static var blue: Color { Color.blue }
    /// Indigo.
    public static var indigo: Color { Color.indigo }
    /// Purple.
    public static var purple: Color { Color.purple }
    /// Pink.
    public static var pink: Color { Color.pink }
    /// Brown.
    public static var brown: Color { Color.brown }
    /// White.
    public static var white: Color { Color.white }
    /// Gray.
    public static var gray: Color { Color.gray }
    /// Black.
    public static var black: Color { Color.black }
    /// No color.
    public static var clear: Color { Color.clear }
}

/// Styles for text and shapes that follow what is around them.
public struct HierarchicalShapeStyle: ShapeStyle {
    /// The most important.
    public static let primary = HierarchicalShapeStyle()
    /// Less important.
    public static let secondary = HierarchicalShapeStyle()
    /// Of little importance.
    public static let tertiary = HierarchicalShapeStyle()
    /// Of the least importance.
    public static let quaternary = HierarchicalShapeStyle()
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The most important.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    /// Less important.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    /// Of little importance.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    /// Of the least importance.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

/// The style of what can be used.
public struct TintShapeStyle: ShapeStyle {
    /// Makes it.
    public init() {}
}

extension ShapeStyle where Self == TintShapeStyle {
    /// The style of what can be used.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// The style of the background.
public struct BackgroundStyle: ShapeStyle {
    /// Makes it.
    public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The style of the background.
    public static var background: BackgroundStyle { BackgroundStyle() }
}

/// A translucent layer.
public struct Material: ShapeStyle {
    /// The thinnest.
    public static let ultraThin = Material()
    /// Thin.
    public static let thin = Material()
    /// As usual.
    public static let regular = Material()
    /// Thick.
    public static let thick = Material()
    /// The thickest.
    public static let ultraThick = Material()
    /// As the system's bars.
    public static let bar = Material()
}

extension ShapeStyle where Self == Material {
    /// The thinnest.
    public static var ultraThinMaterial: Material { Material() }
    /// Thin.
    public static var thinMaterial: Material { Material() }
    /// As usual.
    public static var regularMaterial: Material { Material() }
    /// Thick.
    public static var thickMaterial: Material { Material() }
    /// The thickest.
    public static var ultraThickMaterial: Material { Material() }
    /// As the system's bars.
    public static var bar: Material { Material() }
}
