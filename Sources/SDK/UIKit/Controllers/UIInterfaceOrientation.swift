/// An orientation of an interface.
public enum UIInterfaceOrientation: Int, Sendable {
    /// None.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// On its head.
    case portraitUpsideDown = 2
    /// Lying, with the button on the right.
    case landscapeRight = 3
    /// Lying, with the button on the left.
    case landscapeLeft = 4
    /// Whether it lies.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether it stands.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
}

/// Orientations of a screen.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the options as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    /// On its head.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
    /// Lying on its right side.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
    /// Lying on its left side.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
    /// Lying.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// Any.
    public static let all: UIInterfaceOrientationMask = [.portrait, .landscape, .portraitUpsideDown]
    /// Any but on its head.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}
