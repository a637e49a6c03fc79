/// An angle.
public struct Angle: Hashable, Comparable, Sendable {
    /// In parts of the radius.
    public var radians: Double
    /// In degrees.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }
    /// None.
    public static let zero = Angle(radians: 0)
    /// No angle.
    public init() { radians = 0 }
    /// - Parameter radians: in parts of the radius.
    public init(radians: Double) { self.radians = radians }
    /// - Parameter degrees: in degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// - Parameter degrees: in degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// - Parameter radians: in parts of the radius.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// Whether an angle is smaller.
    public static func < (left: Angle, right: Angle) -> Bool { left.radians < right.radians }
}
