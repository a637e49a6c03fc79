/// A form. Nothing is drawn.
public protocol Shape: Sendable, View {
    /// The form in a rectangle. Nothing but the application's own code calls it.
    nonisolated func path(in rect: CGRect) -> Path
}

extension Shape {
    /// The form as it is.
    public func fill<S: ShapeStyle>(_ content: S) -> some View { self }
    /// The form as it is.
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View { self }
    /// The form as it is.
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View { self }
    /// The form as it is.
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View { self }
    /// The form as it is.
    public func stroke(style: StrokeStyle) -> some View { self }
    /// The form as it is.
    public func stroke(lineWidth: CGFloat = 1) -> some View { self }
    /// The form as it is.
    public func strokeBorder<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View { self }
    /// The form as it is.
    /// - Parameters:
    ///   - startFraction: where the part begins that would be drawn, 0 to 1.
    ///   - endFraction: where it ends.
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape { self }
    /// Not to be called: a form has no other content.
    public var body: Never { NoBody.trap(Self.self) }
}

/// A rectangle.
public struct Rectangle: Shape {
    /// Makes it.
    public nonisolated init() {}
    /// The rectangle.
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}

/// A rectangle with rounded corners.
public struct RoundedRectangle: Shape {
    /// Of the corners.
    public nonisolated let cornerRadius: CGFloat
    /// - Parameters:
    ///   - cornerRadius: of the corners.
    ///   - style: of no effect.
    public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.cornerRadius = cornerRadius
    }
    /// The rectangle.
    public nonisolated func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: cornerRadius) }
}

/// A rectangle whose short sides are round.
public struct Capsule: Shape {
    /// - Parameter style: of no effect.
    public nonisolated init(style: RoundedCornerStyle = .continuous) {}
    /// The rectangle.
    public nonisolated func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }
}

/// A circle.
public struct Circle: Shape {
    /// Makes it.
    public nonisolated init() {}
    /// The circle in the middle.
    public nonisolated func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
    }
}

/// An ellipse.
public struct Ellipse: Shape {
    /// Makes it.
    public nonisolated init() {}
    /// The ellipse.
    public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}

/// The form of what is around it: a rectangle.
public struct ContainerRelativeShape: Shape {
    /// Makes it.
    public nonisolated init() {}
    /// The rectangle.
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}
