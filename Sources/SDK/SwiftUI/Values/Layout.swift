/// An edge on the left or on the right.
public enum HorizontalEdge: Hashable, Sendable {
    /// Where the text begins.
    case leading
    /// Where the text ends.
    case trailing
}

/// An edge at the top or at the bottom.
public enum VerticalEdge: Hashable, Sendable {
    /// The top.
    case top
    /// The bottom.
    case bottom
}

/// An edge.
public enum Edge: Int8, CaseIterable, Sendable {
    /// The top.
    case top
    /// Where the text begins.
    case leading
    /// The bottom.
    case bottom
    /// Where the text ends.
    case trailing

    /// Some edges.
    public struct Set: OptionSet, Sendable {
        /// The edges as bits.
        public let rawValue: Int8
        /// - Parameter rawValue: the edges as bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// - Parameter edge: the only one.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }
        /// The top.
        public static let top = Set(.top)
        /// Where the text begins.
        public static let leading = Set(.leading)
        /// The bottom.
        public static let bottom = Set(.bottom)
        /// Where the text ends.
        public static let trailing = Set(.trailing)
        /// Both on the left and on the right.
        public static let horizontal: Set = [.leading, .trailing]
        /// Both at the top and at the bottom.
        public static let vertical: Set = [.top, .bottom]
        /// All of them.
        public static let all: Set = [.horizontal, .vertical]
    }
}

/// Distances from the edges.
public struct EdgeInsets: Equatable, Sendable {
    /// From the top.
    public var top: CGFloat
    /// From where the text begins.
    public var leading: CGFloat
    /// From the bottom.
    public var bottom: CGFloat
    /// From where the text ends.
    public var trailing: CGFloat
    /// All distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
    /// None.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}

/// Directions.
public enum Axis: Int8, CaseIterable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical

    /// Some directions.
    public struct Set: OptionSet, Sendable {
        /// The directions as bits.
        public let rawValue: Int8
        /// - Parameter rawValue: the directions as bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// From left to right.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)
    }
}

/// A place between left and right.
public struct HorizontalAlignment: Hashable, Sendable {
    let name: String
    /// Where the text begins.
    public static let leading = HorizontalAlignment(name: "leading")
    /// In the middle.
    public static let center = HorizontalAlignment(name: "center")
    /// Where the text ends.
    public static let trailing = HorizontalAlignment(name: "trailing")
}

/// A place between top and bottom.
public struct VerticalAlignment: Hashable, Sendable {
    let name: String
    /// At the top.
    public static let top = VerticalAlignment(name: "top")
    /// In the middle.
    public static let center = VerticalAlignment(name: "center")
    /// At the bottom.
    public static let bottom = VerticalAlignment(name: "bottom")
    /// On the first line of text.
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
    /// On the last line of text.
    public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// A place.
public struct Alignment: Hashable, Sendable {
    /// Between left and right.
    public var horizontal: HorizontalAlignment
    /// Between top and bottom.
    public var vertical: VerticalAlignment
    /// - Parameters:
    ///   - horizontal: between left and right.
    ///   - vertical: between top and bottom.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// Where the text begins.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// Where the text ends.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// At the top.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// At the bottom.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// At the top, where the text begins.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// At the top, where the text ends.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// At the bottom, where the text begins.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// At the bottom, where the text ends.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}

/// A point in a view, its sides being 1.
public struct UnitPoint: Hashable, Sendable {
    /// From the left.
    public var x: CGFloat
    /// From the top.
    public var y: CGFloat
    /// - Parameters:
    ///   - x: from the left.
    ///   - y: from the top.
    public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
    /// The left upper corner.
    public static let zero = UnitPoint(x: 0, y: 0)
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The left side.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The right side.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The upper side.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The lower side.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The left upper corner.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// The right upper corner.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// The left lower corner.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// The right lower corner.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}
