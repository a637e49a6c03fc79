/// How a line is drawn: not here.
public struct StrokeStyle: Equatable, Sendable {
    /// Its width in points.
    public var lineWidth: CGFloat
    /// Its ends.
    public var lineCap: CGLineCap
    /// Its corners.
    public var lineJoin: CGLineJoin
    /// How long a corner may be, as a multiple of the width.
    public var miterLimit: CGFloat
    /// The lengths of its dashes and of the gaps between them; empty for none.
    public var dash: [CGFloat]
    /// Where the dashes begin.
    public var dashPhase: CGFloat
    /// - Parameters:
    ///   - lineWidth: its width in points.
    ///   - lineCap: its ends.
    ///   - lineJoin: its corners.
    ///   - miterLimit: how long a corner may be, as a multiple of the width.
    ///   - dash: the lengths of its dashes and of the gaps between them; empty for none.
    ///   - dashPhase: where the dashes begin.
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        (self.lineWidth, self.lineCap, self.lineJoin) = (lineWidth, lineCap, lineJoin)
        (self.miterLimit, self.dash, self.dashPhase) = (miterLimit, dash, dashPhase)
    }
}

/// The ends of a line.
public enum CGLineCap: Int32, Sendable {
    /// At its point.
    case butt = 0
    /// Round.
    case round = 1
    /// Square, beyond its point.
    case square = 2
}

/// The corners of a line.
public enum CGLineJoin: Int32, Sendable {
    /// Pointed.
    case miter = 0
    /// Round.
    case round = 1
    /// Cut off.
    case bevel = 2
}
