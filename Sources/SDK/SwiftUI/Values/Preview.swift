/// Which device a preview shows. There are no previews.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// The name of the device.
    public let rawValue: String
    /// - Parameter rawValue: the name of the device.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// - Parameter stringLiteral: the name of the device.
    public init(stringLiteral: String) { rawValue = stringLiteral }
}

/// How large a preview is. There are no previews.
public enum PreviewLayout: Sendable {
    /// As the device.
    case device
    /// As the view.
    case sizeThatFits
    /// That large.
    case fixed(width: CGFloat, height: CGFloat)
}
