/// Colors that go over into each other.
public struct Gradient: ShapeStyle, Hashable {
    /// A color at a place.
    public struct Stop: Hashable, Sendable {
        /// The color.
        public var color: Color
        /// The place, 0 to 1.
        public var location: CGFloat
        /// - Parameters:
        ///   - color: the color.
        ///   - location: the place, 0 to 1.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
    /// The colors.
    public var stops: [Stop]
    /// - Parameter stops: the colors with their places.
    public init(stops: [Stop]) { self.stops = stops }
    /// - Parameter colors: the colors, at equal distances.
    public init(colors: [Color]) {
        let last = CGFloat(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / last) }
    }
}

/// A gradient along a line.
public struct LinearGradient: ShapeStyle, View {
    /// None.
    public typealias Body = Never
    let gradient: Gradient
    let startPoint, endPoint: UnitPoint
    /// - Parameters:
    ///   - gradient: the colors.
    ///   - startPoint: where it begins.
    ///   - endPoint: where it ends.
    public nonisolated init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        (self.gradient, self.startPoint, self.endPoint) = (gradient, startPoint, endPoint)
    }
    /// - Parameters:
    ///   - colors: the colors.
    ///   - startPoint: where it begins.
    ///   - endPoint: where it ends.
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
}

extension ShapeStyle where Self == LinearGradient {
    /// A gradient along a line.
    public static func linearGradient(
        colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient { LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint) }
}
