/// Lines and areas. Stores what they are made of: nothing is drawn.
public struct Path: Equatable, Sendable {
    enum Element: Equatable {
        case move(CGPoint)
        case line(CGPoint)
        case rect(CGRect)
        case roundedRect(CGRect, CGFloat)
        case ellipse(CGRect)
        case quadCurve(CGPoint, CGPoint)
        case curve(CGPoint, CGPoint, CGPoint)
        case arc(CGPoint, CGFloat, Angle, Angle, Bool)
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
    /// Adds a rectangle with rounded corners.
    /// - Parameters:
    ///   - rect: the rectangle.
    ///   - cornerSize: of its corners: the width counts.
    ///   - style: of no effect.
    public mutating func addRoundedRect(
        in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous
    ) { elements.append(.roundedRect(rect, cornerSize.width)) }
    /// Draws a curve.
    /// - Parameters:
    ///   - endPoint: where it ends.
    ///   - controlPoint: what it is drawn to.
    public mutating func addQuadCurve(to endPoint: CGPoint, control controlPoint: CGPoint) {
        elements.append(.quadCurve(endPoint, controlPoint))
    }
    /// Draws a curve.
    /// - Parameters:
    ///   - endPoint: where it ends.
    ///   - control1: what its beginning is drawn to.
    ///   - control2: what its end is drawn to.
    public mutating func addCurve(to endPoint: CGPoint, control1: CGPoint, control2: CGPoint) {
        elements.append(.curve(endPoint, control1, control2))
    }
    /// Draws a part of a circle.
    /// - Parameters:
    ///   - center: the middle of the circle.
    ///   - radius: its radius.
    ///   - startAngle: where the part begins.
    ///   - endAngle: where it ends.
    ///   - clockwise: in which direction.
    public mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
    ) { elements.append(.arc(center, radius, startAngle, endAngle, clockwise)) }
    /// Begins at the first point, and draws a line to each of the others.
    public mutating func addLines(_ lines: [CGPoint]) {
        elements += lines.enumerated().map { $0 == 0 ? .move($1) : .line($1) }
    }
    /// Adds another.
    public mutating func addPath(_ path: Path) { elements += path.elements }
    /// Draws a line to where the last one began.
    public mutating func closeSubpath() { elements.append(.close) }
}
