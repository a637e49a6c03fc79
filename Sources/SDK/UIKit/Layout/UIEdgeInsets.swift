/// Distances from the edges of a rectangle to one inside of it, in points; negative ones lead outside.
public struct UIEdgeInsets: Hashable, Codable, Sendable {
    /// From the top.
    public var top: CGFloat
    /// From the left.
    public var left: CGFloat
    /// From the bottom.
    public var bottom: CGFloat
    /// From the right.
    public var right: CGFloat
    /// No distances.
    public static let zero = UIEdgeInsets()
    /// Makes no distances.
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }
    /// Makes them of the four distances.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// Distances from the edges of a rectangle, named by the direction of writing: leading is left where one writes to the
/// right.
public struct NSDirectionalEdgeInsets: Hashable, Codable, Sendable {
    /// From the top.
    public var top: CGFloat
    /// From where lines begin.
    public var leading: CGFloat
    /// From the bottom.
    public var bottom: CGFloat
    /// From where lines end.
    public var trailing: CGFloat
    /// No distances.
    public static let zero = NSDirectionalEdgeInsets()
    /// Makes no distances.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
    /// Makes them of the four distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}

/// How far something is moved, in points.
public struct UIOffset: Hashable, Codable, Sendable {
    /// To the right.
    public var horizontal: CGFloat
    /// Down.
    public var vertical: CGFloat
    /// Not at all.
    public static let zero = UIOffset()
    /// Makes one that moves nothing.
    public init() { self.init(horizontal: 0, vertical: 0) }
    /// Makes one of the two distances.
    public init(horizontal: CGFloat, vertical: CGFloat) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }
}

extension CGRect {
    /// The rectangle inside of this one, at these distances from its edges.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left, y: origin.y + insets.top, width: size.width - insets.left - insets.right,
            height: size.height - insets.top - insets.bottom)
    }
}

/// Edges of a rectangle.
public struct UIRectEdge: OptionSet, Sendable {
    /// The edges as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the edges as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The upper one.
    public static let top = UIRectEdge(rawValue: 1)
    /// The one on the left.
    public static let left = UIRectEdge(rawValue: 2)
    /// The lower one.
    public static let bottom = UIRectEdge(rawValue: 4)
    /// The one on the right.
    public static let right = UIRectEdge(rawValue: 8)
    /// All four.
    public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}

/// Edges of a rectangle, named by the direction of writing.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
    /// The edges as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the edges as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The upper one.
    public static let top = NSDirectionalRectEdge(rawValue: 1)
    /// Where lines begin.
    public static let leading = NSDirectionalRectEdge(rawValue: 2)
    /// The lower one.
    public static let bottom = NSDirectionalRectEdge(rawValue: 4)
    /// Where lines end.
    public static let trailing = NSDirectionalRectEdge(rawValue: 8)
    /// All four.
    public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}
