/// How much a constraint matters, 0 to 1000: `required`.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// The priority as a number.
    public let rawValue: Float
    /// - Parameter rawValue: the priority as a number.
    public init(rawValue: Float) { self.rawValue = rawValue }
    /// - Parameter rawValue: the priority as a number.
    public init(_ rawValue: Float) { self.rawValue = rawValue }
    /// 1000: it must hold.
    public static let required = UILayoutPriority(1000)
    /// 750: a button resists being made smaller than its contents.
    public static let defaultHigh = UILayoutPriority(750)
    /// 250: a button clings to its contents.
    public static let defaultLow = UILayoutPriority(250)
    /// 50: a view would like to be as small as it can.
    public static let fittingSizeLevel = UILayoutPriority(50)
    /// 510: dragging may change a window's size.
    public static let dragThatCanResizeScene = UILayoutPriority(510)
    /// 500: a window keeps its size.
    public static let sceneSizeStayPut = UILayoutPriority(500)
    /// 490: dragging may not change a window's size.
    public static let dragThatCannotResizeScene = UILayoutPriority(490)

    /// One that matters more.
    public static func + (priority: UILayoutPriority, number: Float) -> UILayoutPriority {
        UILayoutPriority(priority.rawValue + number)
    }
    /// One that matters less.
    public static func - (priority: UILayoutPriority, number: Float) -> UILayoutPriority {
        UILayoutPriority(priority.rawValue - number)
    }
    /// One that matters more.
    public static func += (priority: inout UILayoutPriority, number: Float) { priority = priority + number }
    /// One that matters less.
    public static func -= (priority: inout UILayoutPriority, number: Float) { priority = priority - number }
}
