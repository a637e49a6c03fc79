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
    /// Not to be called: a form has no other content.
    public var body: Never { NoBody.trap(Self.self) }
}

/// Lines and areas.
public struct Path: Equatable, Sendable {
    enum Element: Equatable {
        case move(CGPoint)
        case line(CGPoint)
        case rect(CGRect)
        case roundedRect(CGRect, CGFloat)
        case ellipse(CGRect)
        case close
    }
    private var elements: [Element] = []
    /// Nothing.
    public init() {}
    /// - Parameter build: adds lines and areas.
    public init(_ build: (inout Path) -> Void) { build(&self) }
    /// - Parameter rect: a rectangle.
    public init(_ rect: CGRect) { elements = [.rect(rect)] }
    /// - Parameters:
    ///   - rect: a rectangle.
    ///   - cornerRadius: of its corners.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat) { elements = [.roundedRect(rect, cornerRadius)] }
    /// - Parameter rect: what an ellipse fills.
    public init(ellipseIn rect: CGRect) { elements = [.ellipse(rect)] }
    /// Whether there is nothing.
    public var isEmpty: Bool { elements.isEmpty }
    /// Begins a line.
    public mutating func move(to point: CGPoint) { elements.append(.move(point)) }
    /// Draws a line.
    public mutating func addLine(to point: CGPoint) { elements.append(.line(point)) }
    /// Adds a rectangle.
    public mutating func addRect(_ rect: CGRect) { elements.append(.rect(rect)) }
    /// Adds an ellipse.
    public mutating func addEllipse(in rect: CGRect) { elements.append(.ellipse(rect)) }
    /// Draws a line to where the last one began.
    public mutating func closeSubpath() { elements.append(.close) }
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
